namespace PubSubOverWs.Sqs;

/// <summary>Counts what the SDK sends and what comes back, each attempt for itself.</summary>
internal sealed class CountingHandler(HttpMessageHandler inner, Uri endpoint, SqsTraffic traffic) : DelegatingHandler(inner)
{
    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var target = request.Headers.NonValidated.TryGetValues("X-Amz-Target", out var values) ? values.ToString() : "";
        traffic.CountCall(SqsOperation.KindOf(target), WireSize.Of(request, endpoint, (int)(request.Content?.Headers.ContentLength ?? 0)));
        var response = await base.SendAsync(request, cancellationToken);
        traffic.CountAnswer(WireSize.Of(response, await LengthAsync(response.Content, cancellationToken)));
        return response;
    }

    // Without a Content-Length only the whole body tells how long it is.
    private static async ValueTask<int> LengthAsync(HttpContent content, CancellationToken cancellationToken)
    {
        if (content.Headers.NonValidated.Contains("Content-Length"))
            return (int)(content.Headers.ContentLength ?? 0);
        await content.LoadIntoBufferAsync(cancellationToken);
        return (int)(await content.ReadAsStreamAsync(cancellationToken)).Length;
    }
}
