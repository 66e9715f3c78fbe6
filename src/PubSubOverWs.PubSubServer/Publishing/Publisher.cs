using System.Globalization;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>Sends envelopes, and says of what was not sent whether the queue refused it or nobody knows.</summary>
internal sealed class Publisher(EnvelopeSender sender, QueueUrls urls, TimeSpan timeout, QueueMeter meter, PatientCalls calls, TimeProvider time)
{
    /// <summary>Completes when the queue has the envelope. While the queue is away it is sent again, until the time-out.</summary>
    /// <exception cref="BrokerRefusedException">The queue has not taken it, or nobody knows: the message says which.</exception>
    public async ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken)
    {
        var origin = EnvelopeOrigin.Of(messages[0]);
        var encoded = EnvelopeWriter.WriteMessages(messages);
        if (EnvelopeWriter.SizeOf(origin, encoded.Length) is var size and > SqsLimits.MaxMessageBytes)
            throw new BrokerRefusedException(TooLarge(messages, size));
        EntryResult result;
        SqsException? last = null;
        try
        {
            result = await SendAsync(() => new Outgoing(origin, encoded), failure => last = failure, cancellationToken).WaitAsync(timeout, time, cancellationToken);
        }
        catch (TimeoutException late)
        {
            var said = last?.Message.TrimEnd('.') ?? string.Create(CultureInfo.InvariantCulture, $"the queue {urls.Name} did not answer within {timeout.TotalSeconds:0.###} s");
            throw new BrokerRefusedException(Unknown(messages, said), late);
        }
        catch (SqsException failure) when (failure.IsRetryable)
        {
            throw new BrokerRefusedException(Unknown(messages, failure.Message.TrimEnd('.')), failure);
        }
        catch (SqsException failure)
        {
            throw new BrokerRefusedException(Refused(messages, failure.Message), failure);
        }
        catch (ObjectDisposedException stopped)
        {
            throw new BrokerRefusedException(Refused(messages, "the server is stopping; send it to another or later."), stopped);
        }
        return result.Failure is { } refusal ? throw new BrokerRefusedException(Failed(messages, refusal)) : PublishOutcome.Taken;
    }

    // Counted here, for the answer may come after the publisher was told that none came.
    private async Task<EntryResult> SendAsync(Func<Outgoing> publish, Action<SqsException> failed, CancellationToken cancellationToken)
    {
        var since = time.GetTimestamp();
        SqsException? last = null;
        while (true)
        {
            try
            {
                var result = await sender.SendAsync(publish(), cancellationToken);
                if (result.Succeeded)
                    meter.AddSent(1);
                if (result.Failure is not { SenderFault: false } itsOwn || time.GetElapsedTime(since) >= timeout)
                    return result;
                // As when the whole call had failed.
                failed(last = new SqsException(itsOwn.Code, Said(itsOwn), isRetryable: true));
                if (!await calls.PauseAsync())
                    return result;
            }
            catch (SqsException failure) when (failure.IsRetryable && time.GetElapsedTime(since) < timeout)
            {
                failed(last = failure);
                if (!await calls.PauseAsync())
                    throw;
            }
            catch (ObjectDisposedException) when (last is not null)
            {
                // The server stops; what became of the earlier attempt nobody knows.
                throw last;
            }
        }
    }

    private static string TooLarge(IReadOnlyList<Message> messages, int bytes) => string.Create(CultureInfo.InvariantCulture,
        $"{Name(messages)} not taken: encoded for the queue it has {bytes:N0} bytes, and the queue takes {SqsLimits.MaxMessageBytes:N0}; send less at once.");

    // What failed on the queue's side was tried again, and an attempt that was not answered may have arrived.
    private string Failed(IReadOnlyList<Message> messages, EntryFailure failure) =>
        failure.SenderFault
            ? Refused(messages, $"{Said(failure)}; change it, for as it is it will not be taken.")
            : Unknown(messages, Said(failure));

    private string Said(EntryFailure failure) => $"the queue {urls.Name} said {failure.Code}: {failure.Message.Trim().TrimEnd('.')}";

    private static string Refused(IReadOnlyList<Message> messages, string reason) => $"{Name(messages)} not taken: {reason}";

    private static string Unknown(IReadOnlyList<Message> messages, string reason) =>
        $"{Name(messages)} perhaps not taken, the outcome is unknown: {reason}; send it again with the same id if it may arrive twice.";

    private static string Name(IReadOnlyList<Message> messages) => messages.Count == 1
        ? $"Message {messages[0].Id} to {messages[0].Destination} was"
        : $"The transaction of {messages.Count} messages, the first to {messages[0].Destination}, was";
}
