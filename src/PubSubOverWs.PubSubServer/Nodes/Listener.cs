using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>Hears what the nodes tell each other: one long poll after the other on this node's control queue.</summary>
/// <param name="sqs">The client of the queue.</param>
/// <param name="control">This node's control queue.</param>
/// <param name="hear">Takes each announcement.</param>
/// <param name="waitTime">How long one poll waits.</param>
/// <param name="deadAfter">For how long the queue may seem not to exist: right after it was made it may.</param>
/// <param name="time">Measures that.</param>
/// <param name="log">Says what is no announcement.</param>
internal sealed class Listener(
    ISqs sqs, ControlQueue control, Action<Announcement> hear, TimeSpan waitTime, TimeSpan deadAfter, TimeProvider time, ILogger log)
{
    private readonly ReceiveRequest _request = new() { MaxMessages = SqsLimits.MaxBatchEntries, WaitTime = waitTime };

    /// <summary>Ends after <paramref name="stopping"/> fired, when the last receive has come back.</summary>
    /// <exception cref="InvalidOperationException">
    /// The queue is gone: others took this node for dead, for longer than they keep what is for it. Started again, it is a new node.
    /// </exception>
    public async Task RunAsync(CancellationToken stopping)
    {
        var calls = new PatientCalls(time, stopping);
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
                // Its health was told.
                goneSince = failure.Code == SqsErrorCode.QueueDoesNotExist ? goneSince ?? time.GetTimestamp() : null;
                if (goneSince is { } since && time.GetElapsedTime(since) >= deadAfter)
                    throw new InvalidOperationException(
                        $"The queue {control.Name} of this server was deleted: the other servers took it for dead. Start it again.",
                        failure);
                await calls.PauseAsync();
            }
        }
    }

    /// <summary>One poll.</summary>
    public async Task ListenAsync(CancellationToken stopping)
    {
        var received = await sqs.ReceiveMessagesAsync(control.Url, _request, stopping);
        if (received.Count == 0)
            return;
        foreach (var message in received)
        {
            if (Announcement.TryRead(message.Body.Span) is { } said)
                hear(said);
            else
                log.NoAnnouncement(message.MessageId, control.Name);
        }
        await sqs.DeleteMessageBatchAsync(control.Url, [.. received.Select(message => message.ReceiptHandle)], stopping);
    }
}
