using System.Net;

namespace PubSubOverWs.Sqs;

/// <summary>Counts each attempt of the SDK and its answer, and passes on only answers that the SDK can read.</summary>
internal sealed class CountingHandler(HttpMessageHandler inner, Uri endpoint, SqsTraffic traffic) : DelegatingHandler(inner)
{
    /// <exception cref="RefusedAnswerException">The answer is a refusal, to be read as <see cref="SqsOverHttp"/> reads it.</exception>
    /// <exception cref="System.Text.Json.JsonException">The answer does not have the shape that the SDK expects.</exception>
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
