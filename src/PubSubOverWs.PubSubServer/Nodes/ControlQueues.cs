using System.Collections.Concurrent;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// The control queues of this node and of the others. Announcements are sent to each of them through SQS, which a node needs to get its
/// messages; whether it reaches SNS says nothing about that (docs/decisions/0033). Safe from any thread.
/// </summary>
internal sealed class ControlQueues(NodeContext node)
{
    // The time for one announcement: the next includes all that it said.
    private readonly TimeSpan _patience = node.Options.DeadAfter / 3;

    // By name: the same queue may be called by several URLs.
    private readonly ConcurrentDictionary<string, string> _others = new(StringComparer.Ordinal);
    private volatile bool _hasLooked;
    private readonly ReceiveRequest _request = new() { MaxMessages = QueueLimits.MaxBatchEntries, WaitTime = node.Server.Options.WaitTime };

    /// <summary>The nodes with these queues exist; the names of their control queues follow from them.</summary>
    public void Know(IEnumerable<string> ownQueueUrls)
    {
        foreach (var url in ownQueueUrls.Select(NodeQueues.GetControlName))
        {
            if (NodeQueues.GetName(url) is var name && name != node.Queues.Control.Name)
                _others.TryAdd(name, url);
        }
        _hasLooked = true;
    }

    /// <summary>Sends it to this node's control queue and, if <paramref name="othersToo"/>, to those of the others.</summary>
    /// <returns>Whether every queue that exists has it.</returns>
    public async Task<bool> TellAsync(byte[] body, bool othersToo)
    {
        using var timeout = new CancellationTokenSource(_patience, node.Time);
        if (othersToo && !_hasLooked)
            await LookAsync(timeout.Token);
        SendEntry[] entries = [new SendEntry(body)];
        List<Task<bool>> sends = [SendAsync(node.Server.Queue, node.Queues.Control.Name, node.Queues.Control.Url, entries, timeout.Token)];
        if (othersToo)
            sends.AddRange(_others.Select(other => SendAsync(node.Others, other.Key, other.Value, entries, timeout.Token)));
        return (await Task.WhenAll(sends)).All(has => has) && _hasLooked;
    }

    /// <summary>
    /// Receives the announcements of all nodes, one long poll after the other. Ends after <paramref name="stopping"/> fired, when the last
    /// receive has come back.
    /// </summary>
    /// <exception cref="InvalidOperationException">
    /// The queue was deleted: the others considered this node dead for too long. Started again, it is a new node.
    /// </exception>
    public async Task RunAsync(Action<Announcement> hear, CancellationToken stopping)
    {
        var calls = new PatientCalls(node.Time, stopping);
        long? goneSince = null;
        while (!stopping.IsCancellationRequested)
        {
            try
            {
                await ListenAsync(hear, stopping);
                goneSince = null;
            }
            catch (OperationCanceledException) when (stopping.IsCancellationRequested)
            {
                return;
            }
            catch (QueueException failure)
            {
                // Right after it was made, a queue may seem not to exist.
                goneSince = failure.Code == SqsErrorCode.QueueDoesNotExist ? goneSince ?? node.Time.GetTimestamp() : null;
                if (goneSince is { } since && node.Time.GetElapsedTime(since) >= node.Options.DeadAfter)
                    throw new InvalidOperationException(
                        $"The queue {node.Queues.Control.Name} of this server was deleted: the other servers took it for dead. "
                            + "Start it again.",
                        failure);
                await calls.PauseAsync();
            }
        }
    }

    /// <summary>One poll.</summary>
    public async Task ListenAsync(Action<Announcement> hear, CancellationToken stopping)
    {
        var received = await node.Server.Queue.ReceiveAsync(node.Queues.Control.Url, _request, stopping);
        if (received.Count == 0)
            return;
        foreach (var message in received)
        {
            if (Announcement.TryRead(message.Body.Span) is { } said)
            {
                // A node that is heard must hear this one too, even before its queue is listed.
                Know([said.QueueUrl]);
                hear(said);
            }
            else
            {
                node.Log.NoAnnouncement(message.MessageId, node.Queues.Control.Name);
            }
        }
        await node.Server.Queue.SettleAsync(
            node.Queues.Control.Url, [.. received.Select(message => message.ReceiptHandle)], stopping);
    }

    // Nodes that started before this one; it hears of later ones, and lists them while it looks for dead ones.
    private async Task LookAsync(CancellationToken timeout)
    {
        try
        {
            Know((await node.Others.ListQueuesAsync(node.Queues.Prefix, timeout)).Where(url => node.Queues.GetNode(url) is not null));
        }
        catch (Exception failure) when (failure is QueueException or OperationCanceledException)
        {
            // Tried again with the next announcement.
        }
    }

    private async Task<bool> SendAsync(IQueue queue, string name, string url, SendEntry[] entries, CancellationToken timeout)
    {
        try
        {
            var results = await queue.SendAsync(url, entries, timeout);
            return results.All(result => result.Succeeded);
        }
        catch (QueueException gone) when (gone.Code == SqsErrorCode.QueueDoesNotExist)
        {
            // Its node is gone. As long as it is listed, it is tried again.
            _others.TryRemove(name, out _);
            return true;
        }
        catch (Exception failure) when (failure is QueueException or OperationCanceledException)
        {
            return false;
        }
    }
}
