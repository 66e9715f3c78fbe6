using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Sends messages of received envelopes to the parked queue, to the dead-letter queue or to their own queue again, and settles them when
/// that queue has them. A message that one queue refuses does not delay others: it goes back to its own queue, delayed, and is tried again
/// when it is received.
/// </summary>
internal sealed class Transfers
{
    /// <summary>Calls under way to each of the three queues.</summary>
    public const int CallsAtOnce = 4;

    /// <summary>Bytes of the bodies that are being sent at the same time.</summary>
    public const long MaxBytesUnderWay = 3L * CallsAtOnce * SqsLimits.MaxBatchBytes;

    private readonly ISqs _sqs;
    private readonly QueueUrls _urls;
    private readonly QueueMemory _memory;
    private readonly Leases _leases;
    private readonly QueueMeter _meter;
    private readonly PatientCalls _calls;
    private readonly Action<Lease> _delete;
    private readonly ILogger _log;

    // Each message is in one of them at most once: bounded by MaxInFlight and MaxInFlightBytes.
    private readonly BatchLoop<Transfer> _toOwn, _toParked, _toDead;

    /// <param name="flow">Of the queue that the messages come from.</param>
    /// <param name="delete">Deletes SQS messages that were sent on as they came.</param>
    public Transfers(FlowContext flow, Action<Lease> delete)
    {
        (_sqs, _urls, _leases, _calls, _delete) = (flow.Server.Sqs, flow.Urls, flow.Leases, flow.Calls, delete);
        (_memory, _meter, _log) = (flow.Server.Memory, flow.Server.Meter, flow.Server.Log);
        _toOwn = Loop(_urls.Url, flow.Server.Time);
        _toParked = Loop(_urls.ParkedUrl, flow.Server.Time);
        _toDead = Loop(_urls.DeadLetterUrl, flow.Server.Time);
    }

    public void SendAgain(Lease lease, IReadOnlyList<InboundMessage> messages, TimeSpan hidden) =>
        _toOwn.Add(new Transfer(lease, messages) { Hidden = hidden });

    public void Park(InboundMessage message) =>
        _toParked.Add(new Transfer(message.Lease, [message]) { Hidden = _urls.IsParked ? ParkedDestinations.HiddenAgain : TimeSpan.Zero });

    public void DeadLetter(InboundMessage message) => _toDead.Add(new Transfer(message.Lease, [message]));

    public void DeadLetterWhole(Lease lease) => _toDead.Add(new Transfer(lease, []));

    /// <summary>Completes when all is done that was asked for until now.</summary>
    public async Task IdleAsync()
    {
        // Messages that were refused there are sent back.
        await Task.WhenAll(_toParked.IdleAsync(), _toDead.IdleAsync());
        await _toOwn.IdleAsync();
    }

    private BatchLoop<Transfer> Loop(string queueUrl, TimeProvider time) => new(CallsAtOnce, batch => SendAsync(queueUrl, batch))
    {
        MaxBytes = SqsLimits.MaxBatchBytes,
        SizeOf = transfer => transfer.Lease.NoEnvelope?.Length ?? SizeOf(transfer),
        Time = time,
    };

    private static int SizeOf(Transfer transfer) => EnvelopeJson.MostSizeOf(
        transfer.Lease.Origin, transfer.Messages.Sum(message => message.Message.MostEncoded), transfer.Messages.Count);

    private async Task SendAsync(string queueUrl, IReadOnlyList<Transfer> batch)
    {
        var entries = batch.Select(transfer => new SendEntry(Body(queueUrl, transfer), transfer.Hidden)).ToArray();
        IReadOnlyList<EntryResult>? results;
        try
        {
            results = await TryAsync(queueUrl, entries);
        }
        catch (SqsException refused)
        {
            // Perhaps because of one of them.
            if (batch.Count > 1)
            {
                foreach (var transfer in batch)
                    await SendAsync(queueUrl, [transfer]);
                return;
            }
            results = [new EntryResult(new EntryFailure(refused.Code, refused.Message, SenderFault: true))];
        }
        if (results is null)
            return;
        var goesOn = results.Any(result => result.Failure is not { SenderFault: false }) ? !_calls.IsStopping : await _calls.PauseAsync();
        for (var i = 0; i < batch.Count; i++)
        {
            if (results[i].Failure is not { } failure)
                Done(queueUrl, batch[i]);
            else if (failure.SenderFault)
                Refused(queueUrl, batch[i], failure);
            else if (goesOn)
                LoopTo(queueUrl).Add(batch[i]);
        }
    }

    /// <returns>Null: the server stops, and the queue did not answer.</returns>
    /// <exception cref="SqsException">The queue refused the call as it is.</exception>
    private async Task<IReadOnlyList<EntryResult>?> TryAsync(string queueUrl, SendEntry[] entries)
    {
        while (true)
        {
            try
            {
                // No token: the outcome of a send that is cut off would be unknown.
                return await _sqs.SendMessageBatchAsync(queueUrl, entries, CancellationToken.None);
            }
            catch (SqsException failure) when (failure.IsRetryable)
            {
                if (!await _calls.PauseAsync())
                    return null;
            }
        }
    }

    private byte[] Body(string queueUrl, Transfer transfer)
    {
        if (transfer.Lease.NoEnvelope is { } whole)
            return whole.ToArray();
        // The number of deliveries is left out of dead letters: one that is sent back by hand starts from zero.
        var isDead = queueUrl == _urls.DeadLetterUrl;
        var origin = transfer.Lease.Origin;
        Outgoing[] messages =
        [
            .. transfer.Messages.Select(
                message => new Outgoing(origin, EnvelopeJson.WriteMessages([message.Message], isDead ? null : message.DeliveriesToCarry))),
        ];
        return EnvelopeJson.Wrap(origin, messages);
    }

    private void Done(string queueUrl, Transfer transfer)
    {
        if (queueUrl == _urls.DeadLetterUrl)
            _meter.AddDeadLettered();
        else
            _meter.AddSent(1);
        if (queueUrl == _urls.ParkedUrl)
        {
            _meter.AddParked();
            _memory.Parked.Parked(transfer.Messages[0].Message.Destination, isThere: true);
        }
        if (transfer.Messages.Count == 0)
            _delete(transfer.Lease);
        foreach (var message in transfer.Messages)
            message.Settle();
    }

    private void Refused(string queueUrl, Transfer transfer, EntryFailure failure)
    {
        // It stays in the parked queue, or comes back to it later, uncounted.
        if (_urls.IsParked)
            _memory.Parked.Forget();
        if (queueUrl == _urls.DeadLetterUrl)
        {
            _meter.AddDeadLetterRefused();
            _log.DeadLetterRefused(transfer.Lease.MessageId, queueUrl, failure.Code, failure.Message);
        }
        else if (queueUrl == _urls.ParkedUrl)
        {
            _memory.Parked.Parked(transfer.Messages[0].Message.Destination, isThere: false);
        }
        if (queueUrl != _urls.Url)
            _toOwn.Add(transfer with { Hidden = SqsLimits.MaxDelay });
        else
            // Its own queue took it before, and still has it: it is handed out again when its visibility runs out.
            _leases.Remove([transfer.Lease]);
    }

    private BatchLoop<Transfer> LoopTo(string queueUrl) =>
        queueUrl == _urls.DeadLetterUrl ? _toDead : queueUrl == _urls.ParkedUrl ? _toParked : _toOwn;

    /// <param name="Lease">What brought the messages.</param>
    /// <param name="Messages">None: it is not an envelope, and goes as it is.</param>
    private sealed record Transfer(Lease Lease, IReadOnlyList<InboundMessage> Messages)
    {
        /// <summary>How long the queue hides it first. Whole seconds.</summary>
        public TimeSpan Hidden { get; init; }
    }
}
