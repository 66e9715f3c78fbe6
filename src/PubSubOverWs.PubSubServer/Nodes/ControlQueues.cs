using System.Collections.Concurrent;
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
        List<Task<bool>> sends = [SendAsync(node.Server.Sqs, node.Queues.Control.Name, node.Queues.Control.Url, entries, timeout.Token)];
        if (othersToo)
            sends.AddRange(_others.Select(other => SendAsync(node.Others, other.Key, other.Value, entries, timeout.Token)));
        return (await Task.WhenAll(sends)).All(has => has) && _hasLooked;
    }

    // Nodes that started before this one; it hears of later ones, and lists them while it looks for dead ones.
    private async Task LookAsync(CancellationToken timeout)
    {
        try
        {
            Know((await node.Others.ListQueuesAsync(node.Queues.Prefix, timeout)).Where(url => node.Queues.GetNode(url) is not null));
        }
        catch (Exception failure) when (failure is SqsException or OperationCanceledException)
        {
            // Tried again with the next announcement.
        }
    }

    private async Task<bool> SendAsync(ISqs sqs, string name, string url, SendEntry[] entries, CancellationToken timeout)
    {
        try
        {
            var results = await sqs.SendMessageBatchAsync(url, entries, timeout);
            return results.All(result => result.Succeeded);
        }
        catch (SqsException gone) when (gone.Code == SqsErrorCode.QueueDoesNotExist)
        {
            // Its node is gone. As long as it is listed, it is tried again.
            _others.TryRemove(name, out _);
            return true;
        }
        catch (Exception failure) when (failure is SqsException or OperationCanceledException)
        {
            return false;
        }
    }
}
