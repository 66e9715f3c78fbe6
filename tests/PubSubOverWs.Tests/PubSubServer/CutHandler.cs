using System.Text;
using System.Text.Json;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// The way of a broker to its queue, until it is cut: as for a process that is killed, nothing it had begun is heard of any more.
/// </summary>
internal sealed class CutHandler(HttpMessageHandler inner) : DelegatingHandler(inner)
{
    private readonly CancellationTokenSource _cut = new();
    private readonly TaskCompletionSource _polled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _renewed;

    /// <summary>Messages whose visibility was set so far.</summary>
    public int Renewed => Volatile.Read(ref _renewed);

    /// <summary>Completes when the broker has asked for messages: all its timers are set before that.</summary>
    public Task Polled => _polled.Task;

    public void Cut() => _cut.Cancel();

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        if (_cut.IsCancellationRequested)
            throw new HttpRequestException("It is cut.");
        var operation = request.Headers.GetValues("X-Amz-Target").Single();
        if (operation.EndsWith("ReceiveMessage", StringComparison.Ordinal))
            _polled.TrySetResult();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(_cut.Token, cancellationToken);
        try
        {
            var answer = await base.SendAsync(request, either.Token);
            if (operation.EndsWith("ChangeMessageVisibilityBatch", StringComparison.Ordinal))
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

/// <summary>A way to a queue on which a test acts before a call or after it. Calls are told by name, with their JSON behind it.</summary>
internal sealed class HookedHandler(HttpMessageHandler inner) : DelegatingHandler(inner)
{
    public Func<string, Task> Before { get; set; } = _ => Task.CompletedTask;

    public Func<string, Task> After { get; set; } = _ => Task.CompletedTask;

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var call = request.Headers.GetValues("X-Amz-Target").Single()["AmazonSQS.".Length..]
            + Encoding.UTF8.GetString(await request.Content!.ReadAsByteArrayAsync(cancellationToken));
        await Before(call);
        var answer = await base.SendAsync(request, cancellationToken);
        await After(call);
        return answer;
    }
}
