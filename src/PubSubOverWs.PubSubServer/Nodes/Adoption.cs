using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Takes care of the queues of nodes that are gone: reads them like its own, and deletes those that stayed empty. The names of the queues
/// tell which nodes there ever were. The first of the live nodes by name does it; while they disagree which one that is, several do, which
/// is harmless. A silent node may be alive: its queue stays subscribed to the topic until it is certainly dead, and a live node notices
/// that before the others do (<see cref="TopicFeed"/>).
/// </summary>
/// <param name="hearsFor">For how long this node has heard announcements without a gap: without that it cannot judge others.</param>
/// <param name="read">Makes the flow out of such a queue; it asks whether the node is certainly dead.</param>
internal sealed class Adoption(
    NodeContext context, PeerTable table, Func<TimeSpan> hearsFor, Action<IEnumerable<string>> know,
    Func<QueueUrls, Func<bool>, QueueFlow> read)
{
    private readonly Dictionary<string, long> _firstSeen = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Adopted> _adopted = new(StringComparer.Ordinal);

    // Lists of queues may include a deleted one for a while.
    private readonly Dictionary<string, long> _deletedAt = new(StringComparer.Ordinal);
    private volatile QueueFlow[] _flows = [];
    private bool _isSnsSilent;

    /// <summary>Of the queues that are read now.</summary>
    public IReadOnlyList<QueueFlow> Flows => _flows;

    /// <summary>Runs until <paramref name="stopping"/> fires and <paramref name="publishingEnded"/> completes.</summary>
    public async Task RunAsync(Task publishingEnded, CancellationToken stopping)
    {
        using var timer = new PeriodicTimer(context.Options.AnnounceEvery, context.Time);
        try
        {
            while (await timer.WaitForNextTickAsync(stopping))
                await LookAsync(publishingEnded, stopping);
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            // The server stops.
        }
        await Task.WhenAll(_adopted.Values.Select(adopted => adopted.EndedAsync())).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        foreach (var adopted in _adopted.Values.ToArray())
            await EndAsync(adopted);
    }

    /// <summary>Checks all queues of nodes once, and adopts, returns or deletes those that are due.</summary>
    public async Task LookAsync(Task publishingEnded, CancellationToken stopping)
    {
        table.ForgetDead();
        _isSnsSilent = false;
        QueueException? last = null;
        try
        {
            var listed = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (var queueUrl in await context.Others.ListQueuesAsync(context.Queues.Prefix, stopping))
            {
                if (context.Queues.GetNode(queueUrl) is { } node && node != context.Queues.Node)
                    listed.TryAdd(node, queueUrl);
            }
            know(listed.Values);
            foreach (var (node, queueUrl) in listed)
                last = await TryAsync(node, queueUrl, () => LookAtAsync(node, queueUrl, publishingEnded, stopping)) ?? last;
            await ForgetUnlistedAsync(listed);
            // After all were checked, because this calls SNS, which may not answer while the queues do.
            foreach (var adopted in _adopted.Values.ToArray())
            {
                last = await TryAsync(adopted.Node, adopted.QueueUrl, () => LetGoAsync(adopted, stopping)) ?? last;
                if (_isSnsSilent)
                    break;
            }
        }
        catch (QueueException failure)
        {
            last = failure;
        }
        if (last is not null)
            context.Server.Health.Failed(context.Queues.Prefix, QueueCall.Other, last.Code, last.Message);
        else
            context.Server.Health.Succeeded(context.Queues.Prefix, QueueCall.Other);
    }

    // A failure with one queue does not affect the others.
    private async Task<QueueException?> TryAsync(string node, string queueUrl, Func<Task> handle)
    {
        try
        {
            await handle();
            return null;
        }
        catch (QueueException gone) when (gone.Code == SqsErrorCode.QueueDoesNotExist)
        {
            // Another node was faster.
            await ForgetAsync(node, queueUrl);
            return null;
        }
        catch (QueueException failure)
        {
            return failure;
        }
    }

    private async Task LookAtAsync(string node, string queueUrl, Task publishingEnded, CancellationToken stopping)
    {
        if (_adopted.TryGetValue(node, out var adopted))
            await GoOnAsync(adopted, stopping);
        else if (Silence(node) >= context.Options.DeadAfter && IsFirst() && !_deletedAt.ContainsKey(node))
            Adopt(node, queueUrl, publishingEnded, stopping);
    }

    private async Task GoOnAsync(Adopted adopted, CancellationToken stopping)
    {
        if (adopted.HasFailed || Silence(adopted.Node) < context.Options.DeadAfter || !IsFirst())
        {
            await EndAsync(adopted);
            return;
        }
        // Copies for topics that waited while this node heard nothing.
        if (adopted.IsSurelyDead)
            adopted.Flow.RoomEverywhere();
        if (adopted.Flow.Leases.Count > 0 || !await IsEmptyAsync(adopted.QueueUrl, stopping))
            adopted.UsedAt = context.Time.GetTimestamp();
    }

    private async Task LetGoAsync(Adopted adopted, CancellationToken stopping)
    {
        await DropTopicAsync(adopted, stopping);
        if (context.Time.GetElapsedTime(adopted.UsedAt) < context.Options.DeleteAfter)
            return;
        if (adopted.IsDeaf)
            await DeleteAsync(adopted, stopping);
        else
            await DeafenAsync(adopted, stopping);
    }

    // A node that hears nothing itself cannot judge. A node that was never heard may have just started: it has as long as another may be
    // silent.
    private TimeSpan Silence(string node)
    {
        if (table.Silence(node) is not { } silence)
        {
            _firstSeen.TryAdd(node, context.Time.GetTimestamp());
            silence = context.Time.GetElapsedTime(_firstSeen[node]);
        }
        else if (silence == TimeSpan.MaxValue)
        {
            return silence;
        }
        var hears = hearsFor();
        return silence < hears ? silence : hears;
    }

    private bool IsSurelyDead(string node) => Silence(node) >= context.Options.DeleteAfter;

    private bool IsFirst() => hearsFor() >= context.Options.DeadAfter
        && table.Alive.All(other => string.CompareOrdinal(context.Queues.Node, other) < 0);

    private async Task<bool> IsEmptyAsync(string queueUrl, CancellationToken stopping) =>
        await context.Server.Queue.CountAsync(queueUrl, stopping) == 0;

    private void Adopt(string node, string queueUrl, Task publishingEnded, CancellationToken stopping)
    {
        context.Log.Adopted(node, queueUrl);
        var name = NodeQueues.GetName(queueUrl);
        var urls = context.Queues.Shared with { Name = name, Url = queueUrl };
        var adopted = new Adopted(
            node, queueUrl, isSurelyDead => read(urls, () => isSurelyDead() && IsStillSilent(node)), publishingEnded, stopping)
        {
            UsedAt = context.Time.GetTimestamp(),
        };
        _adopted[node] = adopted;
        ShowFlows();
    }

    // First no new messages may come, so that a node that is alive after all can tell by its subscription that it missed some. Only then
    // are messages dropped.
    private async Task DropTopicAsync(Adopted adopted, CancellationToken stopping)
    {
        if (adopted.IsSurelyDead || !IsSurelyDead(adopted.Node))
            return;
        await UnsubscribeAsync(NodeQueues.GetName(adopted.QueueUrl), stopping);
        adopted.MarkDead();
    }

    // Asked from any thread, for each message that would be dropped: the node may have been heard since it was taken from the topic.
    private bool IsStillSilent(string node) => hearsFor() > TimeSpan.Zero && !(table.Silence(node) < context.Options.DeleteAfter);

    // A node that wakes up sends to its queue only once it has heard itself, so the queue from which it would hear itself goes first. The
    // other stays for as long again, for what is on its way there, and by its name both are found again when this node dies in between.
    private async Task DeafenAsync(Adopted adopted, CancellationToken stopping)
    {
        var name = NodeQueues.GetName(adopted.QueueUrl);
        await UnsubscribeAsync(name, stopping);
        if (!IsSurelyDead(adopted.Node))
            return;
        await DeleteControlAsync(NodeQueues.GetControlName(name), stopping);
        adopted.IsDeaf = true;
        adopted.UsedAt = context.Time.GetTimestamp();
    }

    private async Task DeleteAsync(Adopted adopted, CancellationToken stopping)
    {
        await EndAsync(adopted);
        // That took its time.
        if (!IsSurelyDead(adopted.Node) || !await IsEmptyAsync(adopted.QueueUrl, stopping))
            return;
        await context.Others.DeleteQueueAsync(adopted.QueueUrl, stopping);
        _deletedAt[adopted.Node] = context.Time.GetTimestamp();
        table.ForgetQueue(adopted.QueueUrl);
        context.Log.Deleted(adopted.Node, adopted.QueueUrl);
    }

    private async Task DeleteControlAsync(string name, CancellationToken stopping)
    {
        try
        {
            await context.Others.DeleteQueueAsync(await context.Others.GetQueueUrlAsync(name, stopping), stopping);
        }
        catch (QueueException gone) when (gone.Code == SqsErrorCode.QueueDoesNotExist)
        {
            // Another node was faster, or died at this point.
        }
    }

    private async Task UnsubscribeAsync(string name, CancellationToken stopping)
    {
        using var patience = new CancellationTokenSource(context.Options.DeadAfter, context.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, stopping);
        try
        {
            foreach (var (subscriptionArn, queueArn) in await context.Sns.ListSubscriptionsAsync(context.Queues.TopicArn, either.Token))
            {
                if (queueArn.EndsWith($":{name}", StringComparison.Ordinal))
                    await context.Sns.UnsubscribeAsync(subscriptionArn, either.Token);
            }
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
            _isSnsSilent = true;
            throw new QueueException(
                SqsErrorCode.TimedOut, $"SNS did not answer within {context.Options.DeadAfter.TotalSeconds:0.###} s.", isRetryable: true);
        }
    }

    // If another node deleted a queue that this one reads as well, nothing is left to do.
    private async Task ForgetUnlistedAsync(Dictionary<string, string> listed)
    {
        foreach (var adopted in _adopted.Values.Where(adopted => !listed.ContainsKey(adopted.Node)).ToArray())
            await ForgetAsync(adopted.Node, adopted.QueueUrl);
        foreach (var node in _firstSeen.Keys.Where(node => !listed.ContainsKey(node)).ToArray())
            _firstSeen.Remove(node);
        // One that is still listed then was only left out of a list.
        foreach (var (node, _) in _deletedAt.Where(one => context.Time.GetElapsedTime(one.Value) > context.Options.DeleteAfter).ToArray())
            _deletedAt.Remove(node);
    }

    private async Task ForgetAsync(string node, string queueUrl)
    {
        table.ForgetQueue(queueUrl);
        _deletedAt[node] = context.Time.GetTimestamp();
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
