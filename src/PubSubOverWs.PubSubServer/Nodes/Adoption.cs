using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Sees to the queues of nodes that are gone: reads them like its own, and deletes what stayed empty. Which nodes ever were, the names of
/// the queues tell. Of the nodes that live the first by name does it; while they disagree who that is several do, which harms nothing. A
/// silent node may live: its queue stays subscribed to the topic until it is surely dead, which a node that lives notices before the others
/// do (<see cref="TopicFeed"/>).
/// </summary>
/// <param name="sqs">The client of all queues.</param>
/// <param name="sns">The client of the topics.</param>
/// <param name="queues">Those of this node.</param>
/// <param name="table">Which nodes live.</param>
/// <param name="hearsFor">For how long this node has heard others without a gap: who hears nothing cannot say that they are silent.</param>
/// <param name="know">Told of the own queues of all nodes that are there.</param>
/// <param name="health">Told when looking fails.</param>
/// <param name="options">How long a node may be silent, and how long a queue unused.</param>
/// <param name="read">Makes the flow out of such a queue; it asks whether the node is surely dead.</param>
/// <param name="time">Measures both.</param>
/// <param name="log">Says what is read and what is deleted.</param>
internal sealed class Adoption(
    ISqs sqs, ISns sns, NodeQueues queues, PeerTable table, Func<TimeSpan> hearsFor, Action<IEnumerable<string>> know, QueueHealth health,
    NodeOptions options,
    Func<QueueUrls, Func<bool>, QueueFlow> read, TimeProvider time, ILogger log)
{
    private readonly Dictionary<string, long> _firstSeen = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Adopted> _adopted = new(StringComparer.Ordinal);

    // A list of queues may name one for a while that is deleted.
    private readonly Dictionary<string, long> _deletedAt = new(StringComparer.Ordinal);
    private volatile QueueFlow[] _flows = [];
    private bool _isSnsSilent;

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
        await Task.WhenAll(_adopted.Values.Select(adopted => adopted.EndedAsync())).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        foreach (var adopted in _adopted.Values.ToArray())
            await EndAsync(adopted);
    }

    /// <summary>Looks once at all queues of nodes, and adopts, drops or deletes those that are due.</summary>
    public async Task LookAsync(Task quiet, CancellationToken stopping)
    {
        table.ForgetDead();
        _isSnsSilent = false;
        SqsException? last = null;
        try
        {
            var listed = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (var queueUrl in await sqs.ListQueuesAsync(queues.Prefix, stopping))
            {
                if (queues.NodeOf(queueUrl) is { } node && node != queues.Node)
                    listed.TryAdd(node, queueUrl);
            }
            know(listed.Values);
            foreach (var (node, queueUrl) in listed)
                last = await TryAsync(node, queueUrl, () => LookAtAsync(node, queueUrl, quiet, stopping)) ?? last;
            await ForgetUnlistedAsync(listed);
            // When all were looked at, for this asks SNS, which may not answer while the queues do.
            foreach (var adopted in _adopted.Values.ToArray())
            {
                last = await TryAsync(adopted.Node, adopted.QueueUrl, () => LetGoAsync(adopted, stopping)) ?? last;
                if (_isSnsSilent)
                    break;
            }
        }
        catch (SqsException failure)
        {
            last = failure;
        }
        if (last is not null)
            health.Failed(queues.Prefix, SqsCall.Other, last.Code, last.Message);
        else
            health.Succeeded(queues.Prefix, SqsCall.Other);
    }

    // What fails with one does not keep the others from being seen to.
    private async Task<SqsException?> TryAsync(string node, string queueUrl, Func<Task> seeTo)
    {
        try
        {
            await seeTo();
            return null;
        }
        catch (SqsException gone) when (gone.Code == SqsErrorCode.QueueDoesNotExist)
        {
            // Another node was faster.
            await ForgetAsync(node, queueUrl);
            return null;
        }
        catch (SqsException failure)
        {
            return failure;
        }
    }

    private async Task LookAtAsync(string node, string queueUrl, Task quiet, CancellationToken stopping)
    {
        if (_adopted.TryGetValue(node, out var adopted))
            await GoOnAsync(adopted, stopping);
        else if (Silence(node) >= options.DeadAfter && IsFirst() && !_deletedAt.ContainsKey(node))
            Adopt(node, queueUrl, quiet, stopping);
    }

    private async Task GoOnAsync(Adopted adopted, CancellationToken stopping)
    {
        if (adopted.HasFailed || Silence(adopted.Node) < options.DeadAfter || !IsFirst())
        {
            await EndAsync(adopted);
            return;
        }
        if (adopted.Flow.Leases.Count > 0 || !await IsEmptyAsync(adopted.QueueUrl, stopping))
            adopted.UsedAt = time.GetTimestamp();
    }

    private async Task LetGoAsync(Adopted adopted, CancellationToken stopping)
    {
        await BuryAsync(adopted, stopping);
        if (time.GetElapsedTime(adopted.UsedAt) >= options.DeleteAfter)
            await DeleteAsync(adopted, stopping);
    }

    // A node that hears nothing itself cannot tell; one that was never heard may just have started, and has as long to speak as another may
    // be silent.
    private TimeSpan Silence(string node)
    {
        if (table.Silence(node) is not { } silence)
        {
            _firstSeen.TryAdd(node, time.GetTimestamp());
            silence = time.GetElapsedTime(_firstSeen[node]);
        }
        else if (silence == TimeSpan.MaxValue)
        {
            return silence;
        }
        var hears = hearsFor();
        return silence < hears ? silence : hears;
    }

    private bool IsSurelyDead(string node) => Silence(node) >= options.DeleteAfter;

    private bool IsFirst() => hearsFor() >= options.DeadAfter && table.Alive.All(other => string.CompareOrdinal(queues.Node, other) < 0);

    private async Task<bool> IsEmptyAsync(string queueUrl, CancellationToken stopping) =>
        (await sqs.GetQueueAttributesAsync(queueUrl, stopping)).IsEmpty;

    private void Adopt(string node, string queueUrl, Task quiet, CancellationToken stopping)
    {
        log.Adopted(node, queueUrl);
        var name = NodeQueues.NameOf(queueUrl);
        var urls = queues.Shared with { Name = name, Url = queueUrl };
        var adopted = new Adopted(node, queueUrl, isSurelyDead => read(urls, isSurelyDead), quiet, stopping)
        {
            UsedAt = time.GetTimestamp(),
        };
        _adopted[node] = adopted;
        ShowFlows();
    }

    // First nothing new is to come, so that a node which lives after all can see by its subscription that it missed something; only then is
    // something dropped.
    private async Task BuryAsync(Adopted adopted, CancellationToken stopping)
    {
        if (adopted.IsSurelyDead || !IsSurelyDead(adopted.Node))
            return;
        await UnsubscribeAsync(NodeQueues.NameOf(adopted.QueueUrl), stopping);
        adopted.Bury();
    }

    private async Task DeleteAsync(Adopted adopted, CancellationToken stopping)
    {
        await EndAsync(adopted);
        // While that took its time, the node may have woken up and sent itself something.
        if (!IsSurelyDead(adopted.Node) || !await IsEmptyAsync(adopted.QueueUrl, stopping))
            return;
        var name = NodeQueues.NameOf(adopted.QueueUrl);
        await UnsubscribeAsync(name, stopping);
        // This one first: when this node dies in between, the other is found again.
        await DeleteControlAsync(NodeQueues.ControlNameOf(name), stopping);
        await sqs.DeleteQueueAsync(adopted.QueueUrl, stopping);
        _deletedAt[adopted.Node] = time.GetTimestamp();
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

    private async Task UnsubscribeAsync(string name, CancellationToken stopping)
    {
        using var patience = new CancellationTokenSource(options.DeadAfter, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, stopping);
        try
        {
            foreach (var (subscriptionArn, queueArn) in await sns.ListSubscriptionsAsync(queues.TopicArn, either.Token))
            {
                if (queueArn.EndsWith($":{name}", StringComparison.Ordinal))
                    await sns.UnsubscribeAsync(subscriptionArn, either.Token);
            }
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
            _isSnsSilent = true;
            throw new SqsException(
                SqsErrorCode.TimedOut, $"SNS did not answer within {options.DeadAfter.TotalSeconds:0.###} s.", isRetryable: true);
        }
    }

    // If another node deleted a queue that this one read as well, or will hear of again, nothing is left to do.
    private async Task ForgetUnlistedAsync(Dictionary<string, string> listed)
    {
        foreach (var adopted in _adopted.Values.Where(adopted => !listed.ContainsKey(adopted.Node)).ToArray())
            await ForgetAsync(adopted.Node, adopted.QueueUrl);
        foreach (var node in _firstSeen.Keys.Where(node => !listed.ContainsKey(node)).ToArray())
            _firstSeen.Remove(node);
        foreach (var node in _deletedAt.Keys.Where(node =>
            !listed.ContainsKey(node) && time.GetElapsedTime(_deletedAt[node]) > options.DeleteAfter).ToArray())
            _deletedAt.Remove(node);
    }

    private async Task ForgetAsync(string node, string queueUrl)
    {
        table.ForgetQueue(queueUrl);
        _deletedAt[node] = time.GetTimestamp();
        if (_adopted.TryGetValue(node, out var adopted))
            await EndAsync(adopted);
    }

    /// <exception cref="Exception">Whatever ended the reading before it was asked to end.</exception>
    private async Task EndAsync(Adopted adopted)
    {
        _adopted.Remove(adopted.Node);
        ShowFlows();
        await adopted.DisposeAsync();
    }

    private void ShowFlows() => _flows = [.. _adopted.Values.Select(adopted => adopted.Flow)];
}
