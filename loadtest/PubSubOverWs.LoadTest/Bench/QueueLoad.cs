using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Fills a queue and empties it, in batches of ten, several calls at a time.</summary>
internal sealed class QueueLoad(ISqs sqs, string url, int bodyBytes)
{
    public const int Callers = 8;

    private static readonly ReceiveRequest Receive = new() { MaxMessages = SqsLimits.MaxBatchEntries, WaitTime = TimeSpan.FromSeconds(1) };
    private readonly SendEntry[] _batch =
        [.. Enumerable.Repeat(new SendEntry(Encoding.ASCII.GetBytes(new string('x', bodyBytes))), SqsLimits.MaxBatchEntries)];

    private long _left;

    /// <param name="messages">How many, a multiple of ten.</param>
    /// <param name="cancellationToken">Ends it early.</param>
    /// <exception cref="ChildException">The queue did not take one.</exception>
    public Task SendAsync(long messages, CancellationToken cancellationToken)
    {
        _left = messages;
        return RunAsync(async () =>
        {
            while (Interlocked.Add(ref _left, -_batch.Length) >= 0)
                Check(await sqs.SendMessageBatchAsync(url, _batch, cancellationToken));
        });
    }

    /// <summary>Receives and deletes that many.</summary>
    /// <exception cref="ChildException">One could not be deleted.</exception>
    public Task TakeAsync(long messages, CancellationToken cancellationToken)
    {
        _left = messages;
        return RunAsync(async () =>
        {
            while (Volatile.Read(ref _left) > 0)
            {
                var received = await sqs.ReceiveMessagesAsync(url, Receive, cancellationToken);
                if (received.Count == 0)
                    continue;
                Check(await sqs.DeleteMessageBatchAsync(url, [.. received.Select(message => message.ReceiptHandle)], cancellationToken));
                Interlocked.Add(ref _left, -received.Count);
            }
        });
    }

    private static Task RunAsync(Func<Task> caller) => Task.WhenAll(Enumerable.Range(0, Callers).Select(_ => Task.Run(caller)));

    /// <exception cref="ChildException">One of them failed.</exception>
    public static void Check(IReadOnlyList<EntryResult> results)
    {
        if (results.Select(result => result.Failure).FirstOrDefault(failure => failure is not null) is { } failure)
            throw new ChildException(
                $"The queue did not do what the bench asked: {failure.Code}, {failure.Message}");
    }
}
