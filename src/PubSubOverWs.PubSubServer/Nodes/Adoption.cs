using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Sees to the queues of nodes that are gone: reads them like its own, and deletes what stayed empty. Which nodes ever were, the names of the queues tell.
/// Of the nodes that live the first by name does it; while they disagree who that is several do, which harms nothing.
/// </summary>
/// <param name="sqs">The client of all queues.</param>
/// <param name="sns">The client of the topics.</param>
/// <param name="queues">Those of this node.</param>
/// <param name="table">Who lives.</param>
/// <param name="health">Told when looking fails.</param>
/// <param name="options">How long a node may be silent, and how long a queue unused.</param>
/// <param name="read">Makes the flow out of such a queue; true: its node is surely dead, and what is for topics in it is for nobody.</param>
/// <param name="time">Measures both.</param>
/// <param name="log">Says what is read and what is deleted.</param>
internal sealed class Adoption(
    ISqs sqs, ISns sns, NodeQueues queues, PeerTable table, QueueHealth health, NodeOptions options, Func<QueueUrls, bool, QueueFlow> read, TimeProvider time, ILogger log)
{
    private readonly Dictionary<string, long> _firstSeen = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Adopted> _adopted = new(StringComparer.Ordinal);
    private volatile QueueFlow[] _flows = [];

    /// <summary>Of the queues that are read now.</summary>
    public IReadOnlyList<QueueFlow> Flows => _flows;

    /// <summary>Runs until <paramref name="stopping"/> fires and <paramref name="quiet"/> completes.</summary>
    public async Task RunAsync(Task quiet, CancellationToken stopping)
    {
        using var timer = new PeriodicTimer(options.AnnounceEvery, time);
        try
        {
            while (await timer.WaitForNextTickAsync(stopping))
                await LookAsync(quiet, stopping);
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
        foreach (var adopted in _adopted.Values.ToArray())
            await EndAsync(adopted);
    }

    /// <summary>Looks once at all queues of nodes, and does what is to be done now.</summary>
    public async Task LookAsync(Task quiet, CancellationToken stopping)
    {
        try
        {
            foreach (var queueUrl in await sqs.ListQueuesAsync(queues.Prefix, stopping))
            {
                if (queues.NodeOf(queueUrl) is { } node && node != queues.Node)
                    await LookAtAsync(node, queueUrl, quiet, stopping);
            }
        }
        catch (SqsException failure)
        {
            health.Failed(queues.Prefix, SqsCall.Other, failure.Code, failure.Message);
            return;
        }
        health.Succeeded(queues.Prefix, SqsCall.Other);
    }

    private async Task LookAtAsync(string node, string queueUrl, Task quiet, CancellationToken stopping)
    {
        if (_adopted.TryGetValue(node, out var adopted))
        {
            // Read anew when it is sure.
            if (adopted.Running.IsCompleted || Silence(node) < options.DeadAfter || adopted.IsSurelyDead != IsSurelyDead(node))
                await EndAsync(adopted);
            else
                await DeleteIfUnusedAsync(adopted, stopping);
        }
        else if (Silence(node) >= options.DeadAfter && IsFirst())
        {
            await AdoptAsync(node, queueUrl, quiet, stopping);
        }
    }

    private bool IsSurelyDead(string node) => Silence(node) >= options.DeleteAfter;

    // One that was never heard may just have started: it has as long to speak as another may be silent.
    private TimeSpan Silence(string node)
    {
        if (table.Silence(node) is { } silence)
            return silence;
        _firstSeen.TryAdd(node, time.GetTimestamp());
        return time.GetElapsedTime(_firstSeen[node]);
    }

    private bool IsFirst() => table.Alive.All(other => string.CompareOrdinal(queues.Node, other) < 0);

    private async Task AdoptAsync(string node, string queueUrl, Task quiet, CancellationToken stopping)
    {
        log.Adopted(node, queueUrl);
        var name = NodeQueues.NameOf(queueUrl);
        // Nothing new is to come. A node that lives after all, and only could not be heard, subscribes again when it notices.
        await UnsubscribeAsync(queues.TopicArn, name, stopping);
        await UnsubscribeAsync(queues.Control.TopicArn, NodeQueues.ControlNameOf(name), stopping);
        var isSurelyDead = IsSurelyDead(node);
        var flow = read(new QueueUrls(name, queueUrl, queues.Shared.DeadLetterUrl), isSurelyDead);
        var stopped = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _adopted[node] = new Adopted(node, queueUrl, isSurelyDead, flow, stopped, ended, flow.RunAsync(Task.WhenAny(quiet, ended.Task), stopped.Token))
        {
            UsedAt = time.GetTimestamp(),
        };
        _flows = [.. _adopted.Values.Select(adopted => adopted.Flow)];
    }

    private async Task DeleteIfUnusedAsync(Adopted adopted, CancellationToken stopping)
    {
        if (adopted.Flow.Leases.Count > 0 || !(await sqs.GetQueueAttributesAsync(adopted.QueueUrl, stopping)).IsEmpty)
            adopted.UsedAt = time.GetTimestamp();
        if (time.GetElapsedTime(adopted.UsedAt) < options.DeleteAfter)
            return;
        await EndAsync(adopted);
        // This one first: when this node dies in between, the other is found again.
        await DeleteControlAsync(NodeQueues.ControlNameOf(NodeQueues.NameOf(adopted.QueueUrl)), stopping);
        await sqs.DeleteQueueAsync(adopted.QueueUrl, stopping);
        table.ForgetQueue(adopted.QueueUrl);
        log.Deleted(adopted.Node, adopted.QueueUrl);
    }

    private async Task DeleteControlAsync(string name, CancellationToken stopping)
    {
        try
        {
            await sqs.DeleteQueueAsync(await sqs.GetQueueUrlAsync(name, stopping), stopping);
        }
        catch (SqsException gone) when (gone.Code == SqsErrorCode.QueueDoesNotExist)
        {
            // Another node was faster, or died at this point.
        }
    }

    private async Task UnsubscribeAsync(string topicArn, string queueName, CancellationToken stopping)
    {
        foreach (var (subscriptionArn, queueArn) in await sns.ListSubscriptionsAsync(topicArn, stopping))
        {
            if (queueArn.EndsWith($":{queueName}", StringComparison.Ordinal))
                await sns.UnsubscribeAsync(subscriptionArn, stopping);
        }
    }

    /// <exception cref="Exception">Whatever ended the reading before it was asked to end.</exception>
    private async Task EndAsync(Adopted adopted)
    {
        await adopted.Stopped.CancelAsync();
        adopted.Ended.TrySetResult();
        _adopted.Remove(adopted.Node);
        _flows = [.. _adopted.Values.Select(other => other.Flow)];
        await adopted.Running;
        adopted.Flow.Dispose();
        adopted.Stopped.Dispose();
    }

    private sealed record Adopted(
        string Node, string QueueUrl, bool IsSurelyDead, QueueFlow Flow, CancellationTokenSource Stopped, TaskCompletionSource Ended, Task Running)
    {
        /// <summary>When there was last something in it, as far as is known: a timestamp of the clock.</summary>
        public long UsedAt { get; set; }
    }
}
