using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>
/// The queue of one block with its dead-letter queue and its parked queue, and the queues and topics of its nodes where the block has
/// several pubsub servers: they make them, this deletes them, whatever became of the block.
/// </summary>
public sealed class BlockQueues : IDisposable
{
    /// <summary>Long enough for a distant queue, short enough after Ctrl-C.</summary>
    private static readonly TimeSpan DeleteTimeout = TimeSpan.FromSeconds(10);

    private readonly SqsOverHttp _sqs;
    private readonly SnsOverHttp? _sns;
    private readonly TimeProvider _time;

    /// <param name="name">Of the queue; the others are this with <c>-dead</c> and <c>-parked</c>.</param>
    /// <param name="sqs">A client of where it is, disposed with the queues.</param>
    /// <param name="sns">A client of where the topics are, disposed with them; null: there is one server, and it has none.</param>
    /// <param name="time">The clock.</param>
    public BlockQueues(string name, SqsOverHttp sqs, SnsOverHttp? sns, TimeProvider time) =>
        (Name, _sqs, _sns, _time) = (name, sqs, sns, time);

    public string Name { get; }

    public ISqs Sqs => _sqs;

    /// <summary>Deletes all, also when the run was asked to stop. Null: they are gone; else why they may not be.</summary>
    public async Task<string?> DeleteAsync()
    {
        using var timeout = new CancellationTokenSource(DeleteTimeout, _time);
        var ended = timeout.Token;
        string[] names = [Name, Name + "-parked", Name + "-dead"];
        List<Func<Task>> steps = [.. names.Select<string, Func<Task>>(name => () => DeleteAsync(name, ended))];
        if (_sns is not null)
            steps.Insert(0, () => DeleteNodesAsync(_sns, ended));
        var failures = new List<string>();
        foreach (var step in steps)
        {
            if (await TryAsync(step) is { } failure)
                failures.Add(failure);
        }

        return failures.Count == 0 ? null : string.Join(' ', failures.Distinct());
    }

    public void Dispose()
    {
        _sqs.Dispose();
        _sns?.Dispose();
    }

    private async Task DeleteNodesAsync(SnsOverHttp sns, CancellationToken cancellationToken)
    {
        // The topic first: while it is there, so is a queue that it feeds, and by that "queues clean" knows of it.
        foreach (var arn in await sns.ListTopicsAsync(Name, cancellationToken))
        {
            if (NodeNames.In(arn) == Name)
                await sns.DeleteTopicAsync(arn, cancellationToken);
        }

        foreach (var url in await _sqs.ListQueuesAsync(NodeNames.Prefix(Name), cancellationToken))
            await DeleteAsync(NodeNames.In(url), cancellationToken);
    }

    private async Task DeleteAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            await _sqs.DeleteQueueAsync(await _sqs.GetQueueUrlAsync(name, cancellationToken), cancellationToken);
        }
        catch (SqsException none) when (none.Code == SqsErrorCode.QueueDoesNotExist)
        {
            // The block ended before the server had made it, or a list lagged behind.
        }
    }

    private static async Task<string?> TryAsync(Func<Task> step)
    {
        try
        {
            await step();
            return null;
        }
        catch (SqsException failure)
        {
            return failure.Message;
        }
        catch (OperationCanceledException)
        {
            return $"The queue did not answer within {DeleteTimeout.TotalSeconds:0} s.";
        }
    }
}
