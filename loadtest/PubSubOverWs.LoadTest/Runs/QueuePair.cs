using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>The queue of one block with its dead-letter queue: the pubsub server makes them, this deletes them, whatever became of the block.</summary>
public sealed class QueuePair : IDisposable
{
    /// <summary>Long enough for a queue far away, short enough for somebody who pressed Ctrl-C.</summary>
    private static readonly TimeSpan DeleteTimeout = TimeSpan.FromSeconds(10);

    private readonly SqsOverHttp _sqs;
    private readonly TimeProvider _time;

    /// <param name="name">Of the queue; its dead-letter queue is this with <c>-dead</c>.</param>
    /// <param name="sqs">A client of where it is, disposed with the pair.</param>
    /// <param name="time">The clock.</param>
    public QueuePair(string name, SqsOverHttp sqs, TimeProvider time) => (Name, _sqs, _time) = (name, sqs, time);

    public string Name { get; }

    public ISqs Sqs => _sqs;

    /// <summary>Deletes both queues, also when the run was asked to stop. Null: they are gone; else why they may not be.</summary>
    public async Task<string?> DeleteAsync()
    {
        using var timeout = new CancellationTokenSource(DeleteTimeout, _time);
        var failures = new List<string>();
        foreach (var name in new[] { Name, Name + "-dead" })
        {
            if (await TryDeleteAsync(name, timeout.Token) is { } failure)
                failures.Add(failure);
        }

        return failures.Count == 0 ? null : string.Join(' ', failures.Distinct());
    }

    public void Dispose() => _sqs.Dispose();

    private async Task<string?> TryDeleteAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            await _sqs.DeleteQueueAsync(await _sqs.GetQueueUrlAsync(name, cancellationToken), cancellationToken);
            return null;
        }
        catch (SqsException failure)
        {
            // That there is none: the block ended before the server had made it.
            return failure.Code == SqsErrorCode.QueueDoesNotExist ? null : failure.Message;
        }
        catch (OperationCanceledException)
        {
            return $"The queue did not answer within {DeleteTimeout.TotalSeconds:0} s.";
        }
    }
}
