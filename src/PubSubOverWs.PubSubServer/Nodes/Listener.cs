using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>Hears what the nodes tell each other: one long poll after the other on this node's control queue.</summary>
internal sealed class Listener(ISqs sqs, FedQueue control, Action<Announcement> hear, TimeSpan waitTime, TimeProvider time, ILogger log)
{
    private readonly ReceiveRequest _request = new() { MaxMessages = SqsLimits.MaxBatchEntries, WaitTime = waitTime };

    /// <summary>Ends after <paramref name="stopping"/> fired, when the last receive has come back.</summary>
    public async Task RunAsync(CancellationToken stopping)
    {
        var calls = new PatientCalls(time, stopping);
        while (!stopping.IsCancellationRequested)
        {
            try
            {
                await ListenAsync(stopping);
            }
            catch (OperationCanceledException) when (stopping.IsCancellationRequested)
            {
                return;
            }
            catch (SqsException)
            {
                // Its health was told.
                await calls.PauseAsync();
            }
        }
    }

    private async Task ListenAsync(CancellationToken stopping)
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
