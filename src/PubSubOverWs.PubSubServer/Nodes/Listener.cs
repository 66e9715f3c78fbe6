using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>Receives the announcements of all nodes: one long poll after the other on this node's control queue.</summary>
/// <param name="node">This node.</param>
/// <param name="hear">Called with each announcement.</param>
internal sealed class Listener(NodeContext node, Action<Announcement> hear)
{
    private readonly ControlQueue _control = node.Queues.Control;
    private readonly ReceiveRequest _request = new() { MaxMessages = SqsLimits.MaxBatchEntries, WaitTime = node.Server.Options.WaitTime };

    /// <summary>Ends after <paramref name="stopping"/> fired, when the last receive has come back.</summary>
    /// <exception cref="InvalidOperationException">
    /// The queue was deleted: the others considered this node dead for too long. Started again, it is a new node.
    /// </exception>
    public async Task RunAsync(CancellationToken stopping)
    {
        var calls = new PatientCalls(node.Time, stopping);
        long? goneSince = null;
        while (!stopping.IsCancellationRequested)
        {
            try
            {
                await ListenAsync(stopping);
                goneSince = null;
            }
            catch (OperationCanceledException) when (stopping.IsCancellationRequested)
            {
                return;
            }
            catch (SqsException failure)
            {
                // Right after it was made, a queue may seem not to exist.
                goneSince = failure.Code == SqsErrorCode.QueueDoesNotExist ? goneSince ?? node.Time.GetTimestamp() : null;
                if (goneSince is { } since && node.Time.GetElapsedTime(since) >= node.Options.DeadAfter)
                    throw new InvalidOperationException(
                        $"The queue {_control.Name} of this server was deleted: the other servers took it for dead. Start it again.",
                        failure);
                await calls.PauseAsync();
            }
        }
    }

    /// <summary>One poll.</summary>
    public async Task ListenAsync(CancellationToken stopping)
    {
        var received = await node.Server.Sqs.ReceiveMessagesAsync(_control.Url, _request, stopping);
        if (received.Count == 0)
            return;
        foreach (var message in received)
        {
            if (Announcement.TryRead(message.Body.Span) is { } said)
                hear(said);
            else
                node.Log.NoAnnouncement(message.MessageId, _control.Name);
        }
        await node.Server.Sqs.DeleteMessageBatchAsync(_control.Url, [.. received.Select(message => message.ReceiptHandle)], stopping);
    }
}
