namespace PubSubOverWs.Tests.Sqs;

/// <summary>A request as it reached the server; header names in lower case.</summary>
internal sealed record SeenRequest(string Method, Uri Uri, IReadOnlyDictionary<string, string> Headers, string Body)
{
    public string Operation => Headers["x-amz-target"]["AmazonSQS.".Length..];

    public static async Task<SeenRequest> OfAsync(HttpRequestMessage request)
    {
        var headers = request.Headers.Concat(request.Content!.Headers)
            .ToDictionary(header => header.Key.ToLowerInvariant(), header => string.Join(",", header.Value));
        headers.TryAdd("host", request.RequestUri!.Authority);
        return new SeenRequest(request.Method.Method, request.RequestUri, headers, await request.Content.ReadAsStringAsync());
    }
}
