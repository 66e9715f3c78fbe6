using System.Text.Json;

namespace PubSubOverWs.Tests.Fuzz.Model;

/// <summary>The way of a broker to its queue, until it is cut: as for a process that is killed, nothing it had begun is heard of any more.</summary>
internal sealed class CutHandler(HttpMessageHandler inner) : DelegatingHandler(inner)
{
    private readonly CancellationTokenSource _cut = new();
    private int _renewed;

    /// <summary>Messages whose visibility was set so far.</summary>
    public int Renewed => Volatile.Read(ref _renewed);

    public void Cut() => _cut.Cancel();

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        if (_cut.IsCancellationRequested)
            throw new HttpRequestException("It is cut.");
        using var either = CancellationTokenSource.CreateLinkedTokenSource(_cut.Token, cancellationToken);
        try
        {
            var answer = await base.SendAsync(request, either.Token);
            if (request.Headers.GetValues("X-Amz-Target").Single().EndsWith("ChangeMessageVisibilityBatch", StringComparison.Ordinal))
                Interlocked.Add(ref _renewed, await SuccessfulAsync(answer, either.Token));
            return answer;
        }
        catch (OperationCanceledException) when (_cut.IsCancellationRequested)
        {
            throw new HttpRequestException("It was cut.");
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _cut.Dispose();
        base.Dispose(disposing);
    }

    // The rest is what was deleted just before.
    private static async Task<int> SuccessfulAsync(HttpResponseMessage answer, CancellationToken cancellationToken)
    {
        await answer.Content.LoadIntoBufferAsync(cancellationToken);
        using var read = JsonDocument.Parse(await answer.Content.ReadAsByteArrayAsync(cancellationToken));
        return read.RootElement.TryGetProperty("Successful", out var successful) ? successful.GetArrayLength() : 0;
    }
}
