using System.Globalization;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>Sends publishes as envelopes; of a failed one it tells whether the queue refused it or the outcome is unknown.</summary>
internal class Publisher(EnvelopeSender queue, TimeSpan timeout, QueueMeter meter, PatientCalls calls, TimeProvider time)
{
    /// <summary>Completes when the queue has the envelope. While the queue is away it is sent again, until the time-out.</summary>
    /// <exception cref="BrokerRefusedException">The queue has not taken it, or the outcome is unknown: the text says which.</exception>
    public async ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages)
    {
        var origin = EnvelopeOrigin.From(messages[0]);
        var encoded = EnvelopeJson.WriteMessages(messages);
        // An envelope that would be too large when it is sent on would be lost then, or be received again and again.
        if (EnvelopeJson.ComputeMaxSize(origin, encoded.Length, messages.Count) is var size && size > GetMaxBytes(messages))
            throw new BrokerRefusedException(TooLarge(messages, size, GetMaxBytes(messages)));
        var isForTopics = messages.All(message => DestinationName.IsTopic(message.Destination));
        var progress = new Progress(ChooseSender(messages));
        using var patience = new CancellationTokenSource(timeout, time);
        var givenUp = patience.Token;
        EntryResult result;
        try
        {
            result = await SendAsync(
                    messages, () => new Outgoing(origin, encoded, givenUp) { Count = messages.Count, IsForTopics = isForTopics }, progress)
                .WaitAsync(givenUp);
        }
        catch (OperationCanceledException late) when (givenUp.IsCancellationRequested)
        {
            var said = progress.Failure?.Message.TrimEnd('.')
                ?? string.Create(
                    CultureInfo.InvariantCulture, $"{progress.Way.Target} did not answer within {timeout.TotalSeconds:0.###} s");
            throw new BrokerRefusedException(Unknown(messages, said), late);
        }
        catch (QueueException failure) when (failure.MayHaveArrived || progress.Failure is not null)
        {
            throw new BrokerRefusedException(Unknown(messages, failure.Message.TrimEnd('.')), failure);
        }
        catch (QueueException failure)
        {
            throw new BrokerRefusedException(Refused(messages, failure.Message), failure);
        }
        catch (ObjectDisposedException stopped)
        {
            throw new BrokerRefusedException(Refused(messages, "the server is stopping; send it to another or later."), stopped);
        }
        return result.Failure is { } refusal ? throw new BrokerRefusedException(Failed(messages, progress, refusal)) : PublishOutcome.Taken;
    }

    /// <summary>Where a publish is sent at present. Messages that belong together go to one target.</summary>
    protected virtual EnvelopeSender ChooseSender(IReadOnlyList<Message> messages) => queue;

    /// <summary>Bytes that the envelope of a publish may have.</summary>
    protected virtual int GetMaxBytes(IReadOnlyList<Message> messages) => QueueLimits.MaxMessageBytes;

    // Counted here, because the answer may come after the publisher was told that none came.
    private async Task<EntryResult> SendAsync(IReadOnlyList<Message> messages, Func<Outgoing> publish, Progress progress)
    {
        var since = time.GetTimestamp();
        while (true)
        {
            try
            {
                var attempt = publish();
                var result = await progress.Way.SendAsync(attempt);
                if (result.Succeeded && attempt.IsFirst)
                    meter.AddSent(1);
                if (result.Failure is not { SenderFault: false } itsOwn || time.GetElapsedTime(since) >= timeout)
                    return result;
                // As if the whole call had failed.
                progress.Failure = new QueueException(itsOwn.Code, Said(progress.Way, itsOwn), isRetryable: true);
                if (!await calls.PauseAsync())
                    return result;
            }
            catch (QueueException failure) when (progress.Way.IsLost(failure))
            {
                // There is another target.
                progress.Failure = failure.MayHaveArrived ? failure : progress.Failure;
            }
            catch (QueueException failure) when (failure.IsRetryable && time.GetElapsedTime(since) < timeout)
            {
                progress.Failure = failure;
                if (!await calls.PauseAsync())
                    throw;
            }
            catch (ObjectDisposedException) when (progress.Failure is not null)
            {
                // The server stops; the outcome of the earlier attempt is unknown.
                throw progress.Failure;
            }
            progress.Way = ChooseSender(messages);
        }
    }

    private static string TooLarge(IReadOnlyList<Message> messages, int bytes, int max) => string.Create(
        CultureInfo.InvariantCulture,
        $"{Name(messages)} not taken: encoded for the queue it may have {bytes:N0} bytes, and the queue takes {max:N0}; "
            + $"send less at once.");

    // Failures on the queue's side were retried, and an attempt that was not answered may have arrived.
    private static string Failed(IReadOnlyList<Message> messages, Progress progress, EntryFailure failure) =>
        failure.SenderFault && progress.Failure is null
            ? Refused(messages, $"{Said(progress.Way, failure)}; change it: the queue will not accept it as it is.")
            : Unknown(messages, Said(progress.Way, failure));

    private static string Said(EnvelopeSender way, EntryFailure failure) =>
        $"{way.Target} said {failure.Code}: {failure.Message.Trim().TrimEnd('.')}";

    private static string Refused(IReadOnlyList<Message> messages, string reason) => $"{Name(messages)} not taken: {reason}";

    private static string Unknown(IReadOnlyList<Message> messages, string reason) =>
        $"{Name(messages)} perhaps not taken, the outcome is unknown: {reason}; send it again with the same id if it may arrive twice.";

    private static string Name(IReadOnlyList<Message> messages) => messages.Count == 1
        ? $"Message {messages[0].Id} to {messages[0].Destination} was"
        : $"The transaction of {messages.Count} messages, the first to {messages[0].Destination}, was";

    private sealed class Progress(EnvelopeSender way)
    {
        public EnvelopeSender Way { get; set; } = way;

        public QueueException? Failure { get; set; }
    }
}
