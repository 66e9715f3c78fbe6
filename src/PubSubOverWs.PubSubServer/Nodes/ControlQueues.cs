using System.Collections.Concurrent;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// The control queues of this node and of the others. What is told is sent to each of them through SQS, which is what a node needs to get
/// at its messages: whether SNS can be reached says nothing of that (docs/decisions/0033). Safe from any thread.
/// </summary>
/// <param name="own">The client of the own queue: its failures make this node unready.</param>
/// <param name="others">The client of the others' queues: that one of them is gone is not.</param>
/// <param name="queues">Those of this node.</param>
/// <param name="time">Measures the patience.</param>
/// <param name="patience">How long one telling may take: the next one says all that this one did.</param>
internal sealed class ControlQueues(ISqs own, ISqs others, NodeQueues queues, TimeProvider time, TimeSpan patience)
{
    // By name: the same queue may be called by several URLs.
    private readonly ConcurrentDictionary<string, string> _others = new(StringComparer.Ordinal);
    private volatile bool _hasLooked;

    /// <summary>These nodes' own queues are there; their control queues are called after them.</summary>
    public void Know(IEnumerable<string> ownQueueUrls)
    {
        foreach (var url in ownQueueUrls.Select(NodeQueues.ControlNameOf))
        {
            if (NodeQueues.NameOf(url) is var name && name != queues.Control.Name)
                _others.TryAdd(name, url);
        }
        _hasLooked = true;
    }

    /// <summary>Sends it to this node's own queue, and to the others' as well if that is wished.</summary>
    /// <returns>Whether every queue that exists has it.</returns>
    public async Task<bool> TellAsync(byte[] body, bool othersToo)
    {
        using var timeout = new CancellationTokenSource(patience, time);
        if (othersToo && !_hasLooked)
            await LookAsync(timeout.Token);
        SendEntry[] entries = [new SendEntry(body)];
        List<Task<bool>> sends = [SendAsync(own, queues.Control.Name, queues.Control.Url, entries, timeout.Token)];
        if (othersToo)
            sends.AddRange(_others.Select(other => SendAsync(others, other.Key, other.Value, entries, timeout.Token)));
        return (await Task.WhenAll(sends)).All(has => has) && _hasLooked;
    }

    // Those that are there before this node is; of later ones it hears, and lists them while it looks for dead ones.
    private async Task LookAsync(CancellationToken timeout)
    {
        try
        {
            Know((await others.ListQueuesAsync(queues.Prefix, timeout)).Where(url => queues.NodeOf(url) is not null));
        }
        catch (Exception failure) when (failure is SqsException or OperationCanceledException)
        {
            // With the next telling again.
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
            // Its node is gone. While it is still listed, it is tried again.
            _others.TryRemove(name, out _);
            return true;
        }
        catch (Exception failure) when (failure is SqsException or OperationCanceledException)
        {
            return false;
        }
    }
}
