namespace PubSubOverWs.Sqs;

/// <summary>
/// Counts what the SDK sends and what comes back, each attempt for itself. An answer without a Content-Length is counted by its headers alone:
/// its body is the SDK's to read.
/// </summary>
internal sealed class CountingHandler(HttpMessageHandler inner, Uri endpoint, SqsTraffic traffic) : DelegatingHandler(inner)
{
    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var target = request.Headers.NonValidated.TryGetValues("X-Amz-Target", out var values) ? values.ToString() : "";
        traffic.CountCall(SqsOperation.KindOf(target), WireSize.Of(request, endpoint, Length(request.Content)));
        var response = await base.SendAsync(request, cancellationToken);
        traffic.CountAnswer(WireSize.Of(response, Length(response.Content)));
        return response;
    }

    private static int Length(HttpContent? content) => (int)(content?.Headers.ContentLength ?? 0);
}
