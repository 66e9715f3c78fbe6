using System.Net;

namespace PubSubOverWs.Sqs;

/// <summary>Counts what the SDK sends and what comes back, each attempt for itself, and passes on to it only answers that it can read.</summary>
internal sealed class CountingHandler(HttpMessageHandler inner, Uri endpoint, SqsTraffic traffic) : DelegatingHandler(inner)
{
    /// <exception cref="RefusedAnswerException">The answer is a refusal: it is read as <see cref="SqsOverHttp"/> reads it, not as the SDK would.</exception>
    /// <exception cref="System.Text.Json.JsonException">The answer is not of the shape that the SDK expects.</exception>
    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var target = request.Headers.NonValidated.TryGetValues("X-Amz-Target", out var values) ? values.ToString() : "";
        traffic.CountCall(SqsOperation.KindOf(target), WireSize.Of(request, endpoint, (int)(request.Content?.Headers.ContentLength ?? 0)));
        var response = await base.SendAsync(request, cancellationToken);
        try
        {
            await response.Content.LoadIntoBufferAsync(cancellationToken);
            var body = (MemoryStream)await response.Content.ReadAsStreamAsync(cancellationToken);
            traffic.CountAnswer(WireSize.Of(response, (int)body.Length));
            if (response.StatusCode != HttpStatusCode.OK)
                throw new RefusedAnswerException(response.StatusCode, body.ToArray(), response.Headers.Date);
            if (body.Length > 0)
                AnswerShape.Check(body.TryGetBuffer(out var buffer) ? buffer : body.ToArray());
            return response;
        }
        catch
        {
            response.Dispose();
            throw;
        }
    }
}
