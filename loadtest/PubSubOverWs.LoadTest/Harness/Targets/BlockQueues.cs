using System.Security.Cryptography;
using System.Text.RegularExpressions;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Targets;

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
        catch (QueueException none) when (none.Code == SqsErrorCode.QueueDoesNotExist)
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
        catch (QueueException failure)
        {
            return failure.Message;
        }
        catch (OperationCanceledException)
        {
            return $"The queue did not answer within {DeleteTimeout.TotalSeconds:0} s.";
        }
    }
}

/// <summary>
/// Distinguishes one start of the runner from others, in message ids, destinations and queue names. Sixteen characters, time first, so
/// that a leftover queue shows its age.
/// </summary>
public sealed partial record RunToken(string Text)
{
    /// <summary>The first part of the names of all queues of runs; only such queues are ever deleted.</summary>
    public const string QueuePrefix = "pubsuboverws-";

    /// <param name="now">UTC.</param>
    public static RunToken Draw(DateTimeOffset now) =>
        new(now.UtcDateTime.ToString("yyMMddHHmmss", CultureInfo.InvariantCulture)
            + RandomNumberGenerator.GetHexString(4, lowercase: true));

    /// <summary>The name of a block's queue; the others have <c>-dead</c> and <c>-parked</c> added.</summary>
    public string Queue(int block) => Invariant($"{QueuePrefix}{Text}-{block}");

    /// <summary>True: it is the name of a queue or topic of a run.</summary>
    public static bool Named(string queue) => QueueName().IsMatch(queue);

    [GeneratedRegex("^" + QueuePrefix + "[0-9]{12}[0-9a-f]{4}-[A-Za-z0-9_-]+$")]
    private static partial Regex QueueName();
}

/// <summary>The names of queues and topics of pubsub nodes (docs/guides/nodes.md).</summary>
public static class NodeNames
{
    private const string Node = "-node-";
    private const string Control = "-control";

    /// <summary>The first part of the names of all queues of nodes, except the shared one.</summary>
    public static string Prefix(string shared) => shared + Node;

    /// <summary>The topic that feeds the queue of a node; null: it is not a node's, or a control queue, which no topic feeds.</summary>
    public static string? TopicOf(string queue) =>
        queue.IndexOf(Node, StringComparison.Ordinal) is var at and >= 0 && !queue.EndsWith(Control, StringComparison.Ordinal)
            ? queue[..at]
            : null;

    /// <summary>The name at the end of an ARN or of a queue's URL.</summary>
    public static string In(string address) => address[(address.LastIndexOfAny(['/', ':']) + 1)..];
}
