using System.Threading.Channels;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Carries entries to the queue in batches of up to ten, without a task for each entry. While a call is under way the next batch fills. The
/// entries are bounded by what is in flight (<see cref="SqsBrokerOptions.MaxInFlight"/>).
/// </summary>
internal sealed class CallLoop<T>(int callsAtOnce, Func<IReadOnlyList<T>, Task> call)
{
    private readonly Channel<T> _entries = Channel.CreateUnbounded<T>();

    /// <summary>After <see cref="Complete"/> it is passed over: the server has stopped, and the queue hands the message out again.</summary>
    public void Add(T entry) => _entries.Writer.TryWrite(entry);

    public void Complete() => _entries.Writer.TryComplete();

    /// <summary>Ends after <see cref="Complete"/>, when all that was added has been carried away.</summary>
    public Task RunAsync() => Task.WhenAll(Enumerable.Range(0, callsAtOnce).Select(_ => RunOneAsync()));

    private async Task RunOneAsync()
    {
        while (await _entries.Reader.WaitToReadAsync(CancellationToken.None))
        {
            var batch = new List<T>(SqsLimits.MaxBatchEntries);
            while (batch.Count < SqsLimits.MaxBatchEntries && _entries.Reader.TryRead(out var entry))
                batch.Add(entry);
            if (batch.Count > 0)
                await call(batch);
        }
    }
}
