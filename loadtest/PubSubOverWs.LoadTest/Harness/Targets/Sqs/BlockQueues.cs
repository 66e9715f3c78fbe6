using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Targets.Sqs;

/// <summary>
/// The queue of one block with its dead-letter and parked queues, and the queues and topics of its nodes if it has several pubsub servers.
/// The servers create them; this deletes them, however the block ended.
/// </summary>
public sealed class BlockQueues : IDisposable
{
    private static readonly TimeSpan DeleteTimeout = TimeSpan.FromSeconds(10);

    private readonly SqsOverHttp _sqs;
    private readonly SnsOverHttp? _sns;
    private readonly TimeProvider _time;

    /// <param name="name">The name of the queue; the others have <c>-dead</c> and <c>-parked</c> added.</param>
    /// <param name="sqs">Disposed with this object, like <paramref name="sns"/>.</param>
    /// <param name="sns">Null: there is one server, without topics.</param>
    public BlockQueues(string name, SqsOverHttp sqs, SnsOverHttp? sns, TimeProvider time) =>
        (Name, _sqs, _sns, _time) = (name, sqs, sns, time);

    public string Name { get; }

    public ISqs Sqs => _sqs;

    /// <summary>Deletes all of them, also if the run was stopped. Null: success; otherwise why some may still exist.</summary>
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
        // The topic first: "queues clean" finds a topic by the queue that it feeds.
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
            // The block ended before the server had created it, or the list was out of date.
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
