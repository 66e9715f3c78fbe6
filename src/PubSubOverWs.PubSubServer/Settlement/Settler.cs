using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Carries out the decisions of the <see cref="Dispatcher"/>. Those left undone when the server stops resolve themselves: the visibility of
/// the messages runs out, and the queue hands them out again. A message that one queue refuses does not delay others: it goes back to its
/// own queue, delayed, and is tried again when it is received.
/// </summary>
internal sealed class Settler : ISettlement
{
    /// <summary>Calls under way of each kind, and sends to each of the three queues.</summary>
    public const int CallsAtOnce = 4;

    /// <summary>Bytes of the bodies that are being sent at the same time.</summary>
    public const long MaxBytesUnderWay = 3L * CallsAtOnce * QueueLimits.MaxBatchBytes;

    // The sender gathers them into calls.
    private const int ForwardsAtOnce = 100;

    private readonly FlowContext _flow;

    // A lease is in one of the first two, and a message in one of the others, at most once: bounded by MaxInFlight and MaxInFlightBytes.
    private readonly BatchLoop<Lease> _deletes;
    private readonly BatchLoop<(Lease Lease, TimeSpan Hidden)> _releases;
    private readonly BatchLoop<(InboundMessage Message, EnvelopeSender Way)> _forwards;
    private readonly BatchLoop<Transfer> _toOwn, _toParked, _toDead;

    public Settler(FlowContext flow)
    {
        var time = flow.Server.Time;
        var linger = flow.Server.Options.Settle.Linger;
        _flow = flow;
        _deletes = new(CallsAtOnce, DeleteAsync)
        {
            Linger = linger == TimeSpan.Zero ? null : () => _flow.Calls.PauseAsync(linger),
            Time = time,
        };
        _releases = new(CallsAtOnce, ReleaseAsync) { Time = time };
        _toOwn = Loop(flow.Urls.Url);
        _toParked = Loop(flow.Urls.ParkedUrl);
        _toDead = Loop(flow.Urls.DeadLetterUrl);
        _forwards = new(CallsAtOnce, batch => Task.WhenAll(batch.Select(forward => ForwardAsync(forward.Message, forward.Way))))
        {
            MaxEntries = ForwardsAtOnce,
            Time = time,
        };
    }

    public void Delete(Lease lease) => _deletes.Add(lease);

    public void Release(Lease lease, TimeSpan hidden) => _releases.Add((lease, hidden));

    public void Forward(InboundMessage message, EnvelopeSender way) => _forwards.Add((message, way));

    public void SendAgain(Lease lease, IReadOnlyList<InboundMessage> messages, TimeSpan hidden) =>
        _toOwn.Add(new Transfer(lease, messages) { Hidden = hidden });

    public void Park(InboundMessage message) =>
        _toParked.Add(
            new Transfer(message.Lease, [message]) { Hidden = _flow.Urls.IsParked ? ParkedDestinations.HiddenAgain : TimeSpan.Zero });

    public void DeadLetter(InboundMessage message) => _toDead.Add(new Transfer(message.Lease, [message]));

    public void DeadLetterWhole(Lease lease) => _toDead.Add(new Transfer(lease, []));

    /// <summary>Completes when all is done that was asked for until now.</summary>
    public async Task IdleAsync()
    {
        // First those that end in a delete, and of these those of which the own queue gets what was refused.
        await Task.WhenAll(_toParked.IdleAsync(), _toDead.IdleAsync(), _forwards.IdleAsync());
        await _toOwn.IdleAsync();
        await Task.WhenAll(_releases.IdleAsync(), _deletes.IdleAsync());
    }

    private async Task DeleteAsync(IReadOnlyList<Lease> batch)
    {
        var handles = batch.Select(lease => lease.ReceiptHandle).ToArray();
        // No token, nor below: a call that is cut off may have been carried out. PatientCalls stops repeating it when the server stops.
        var results = await _flow.Calls.CallAsync(
            () => _flow.Server.Queue.SettleAsync(_flow.Urls.Url, handles, CancellationToken.None));
        var again = await CountAsync(batch, results, _flow.Server.Meter.AddDeleted);
        // The others stay leased, and hidden, until they are deleted.
        _flow.Leases.Remove(Without(batch, again));
        again.ForEach(_deletes.Add);
    }

    private async Task ReleaseAsync(IReadOnlyList<(Lease Lease, TimeSpan Hidden)> batch)
    {
        var entries = batch.Select(release => new HoldEntry(release.Lease.ReceiptHandle, release.Hidden)).ToArray();
        var results = await _flow.Calls.CallAsync(
            () => _flow.Server.Queue.HoldAsync(_flow.Urls.Url, entries, CancellationToken.None));
        var again = await CountAsync(batch, results, _flow.Server.Meter.AddReleased);
        _flow.Leases.Remove([.. Without(batch, again).Select(release => release.Lease)]);
        again.ForEach(_releases.Add);
    }

    private async Task ForwardAsync(InboundMessage message, EnvelopeSender way)
    {
        try
        {
            var result = await way.SendAsync(
                new Outgoing(origin: null, EnvelopeJson.WriteMessages([message.Message], message.DeliveriesToCarry))
                {
                    IsForTopics = DestinationName.IsTopic(message.Message.Destination),
                });
            if (result.Succeeded)
            {
                _flow.Server.Meter.AddForwarded();
                message.Settle();
                return;
            }
        }
        catch (QueueException failure) when (way.IsLost(failure))
        {
            message.NotForwarded();
            return;
        }
        catch (QueueException)
        {
            // QueueHealth was told.
        }
        catch (ObjectDisposedException)
        {
            // The server stops, and releases it.
            return;
        }
        if (await _flow.Calls.PauseAsync())
            message.NotForwarded();
    }

    /// <returns>All that failed on the queue's side, to be tried again; nothing when the server stops.</returns>
    private async Task<List<T>> CountAsync<T>(IReadOnlyList<T> batch, IReadOnlyList<EntryResult>? results, Action<int> done)
    {
        // Messages that were not deleted or released show up in the parked queue again, uncounted.
        if (_flow.Urls.IsParked && !_flow.Calls.IsStopping
            && (results is null || results.Any(result => result.Failure is { SenderFault: true })))
            _flow.Server.Parked.Forget();
        if (results is null)
            return [];
        var failed = batch.Where((_, i) => results[i].Failure is { SenderFault: false }).ToList();
        var succeeded = results.Count(result => result.Succeeded);
        done(succeeded);
        if (batch.Count - succeeded - failed.Count is var stale && stale > 0)
            _flow.Server.Meter.AddStaleReceipts(stale);
        // The client has retried each several times already, with waits; another pause is made only when nothing at all succeeds.
        var goesOn = failed.Count < batch.Count ? !_flow.Calls.IsStopping : await _flow.Calls.PauseAsync();
        return goesOn ? failed : [];
    }

    private static IReadOnlyList<T> Without<T>(IReadOnlyList<T> batch, List<T> again) =>
        again.Count == 0 ? batch : [.. batch.Except(again)];

    private BatchLoop<Transfer> Loop(string queueUrl) => new(CallsAtOnce, batch => SendAsync(queueUrl, batch))
    {
        MaxBytes = QueueLimits.MaxBatchBytes,
        SizeOf = transfer => transfer.Lease.NoEnvelope?.Length ?? SizeOf(transfer),
        Time = _flow.Server.Time,
    };

    private static int SizeOf(Transfer transfer) => EnvelopeJson.ComputeMaxSize(
        transfer.Lease.Origin, transfer.Messages.Sum(message => message.Message.MaxEncodedSize), transfer.Messages.Count);

    private async Task SendAsync(string queueUrl, IReadOnlyList<Transfer> batch)
    {
        var entries = batch.Select(transfer => new SendEntry(Body(queueUrl, transfer), transfer.Hidden)).ToArray();
        IReadOnlyList<EntryResult>? results;
        try
        {
            results = await TryAsync(queueUrl, entries);
        }
        catch (QueueException refused)
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
        var someSucceeded = results.Any(result => result.Failure is not { SenderFault: false });
        var goesOn = someSucceeded ? !_flow.Calls.IsStopping : await _flow.Calls.PauseAsync();
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
    /// <exception cref="QueueException">The queue refused the call as it is.</exception>
    private async Task<IReadOnlyList<EntryResult>?> TryAsync(string queueUrl, SendEntry[] entries)
    {
        while (true)
        {
            try
            {
                // No token: the outcome of a send that is cut off would be unknown.
                return await _flow.Server.Queue.SendAsync(queueUrl, entries, CancellationToken.None);
            }
            catch (QueueException failure) when (failure.IsRetryable)
            {
                if (!await _flow.Calls.PauseAsync())
                    return null;
            }
        }
    }

    private byte[] Body(string queueUrl, Transfer transfer)
    {
        if (transfer.Lease.NoEnvelope is { } whole)
            return whole.ToArray();
        // The number of deliveries is left out of dead letters: one that is sent back by hand starts from zero.
        var isDead = queueUrl == _flow.Urls.DeadLetterUrl;
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
        if (queueUrl == _flow.Urls.DeadLetterUrl)
            _flow.Server.Meter.AddDeadLettered();
        else
            _flow.Server.Meter.AddSent(1);
        if (queueUrl == _flow.Urls.ParkedUrl)
        {
            _flow.Server.Meter.AddParked();
            _flow.Server.Parked.Parked(transfer.Messages[0].Message.Destination, isThere: true);
        }
        if (transfer.Messages.Count == 0)
            Delete(transfer.Lease);
        foreach (var message in transfer.Messages)
            message.Settle();
    }

    private void Refused(string queueUrl, Transfer transfer, EntryFailure failure)
    {
        // It stays in the parked queue, or comes back to it later, uncounted.
        if (_flow.Urls.IsParked)
            _flow.Server.Parked.Forget();
        if (queueUrl == _flow.Urls.DeadLetterUrl)
        {
            _flow.Server.Meter.AddDeadLetterRefused();
            _flow.Server.Log.DeadLetterRefused(transfer.Lease.MessageId, queueUrl, failure.Code, failure.Message);
        }
        else if (queueUrl == _flow.Urls.ParkedUrl)
        {
            _flow.Server.Parked.Parked(transfer.Messages[0].Message.Destination, isThere: false);
        }
        if (queueUrl != _flow.Urls.Url)
            _toOwn.Add(transfer with { Hidden = QueueLimits.MaxDelay });
        else
            // Its own queue took it before, and still has it: it is handed out again when its visibility runs out.
            _flow.Leases.Remove([transfer.Lease]);
    }

    private BatchLoop<Transfer> LoopTo(string queueUrl) =>
        queueUrl == _flow.Urls.DeadLetterUrl ? _toDead : queueUrl == _flow.Urls.ParkedUrl ? _toParked : _toOwn;

    /// <param name="Lease">What brought the messages.</param>
    /// <param name="Messages">None: it is not an envelope, and goes as it is.</param>
    private sealed record Transfer(Lease Lease, IReadOnlyList<InboundMessage> Messages)
    {
        /// <summary>How long the queue hides it first. Whole seconds.</summary>
        public TimeSpan Hidden { get; init; }
    }
}

/// <summary>
/// Actions on the queue that the dispatcher decides on, carried out in the background. Called from any thread; does not block.
/// </summary>
internal interface ISettlement
{
    /// <summary>All is settled.</summary>
    void Delete(Lease lease);

    /// <summary>Has the queue hand all of it out again, after <paramref name="hidden"/> (whole seconds; zero: at once).</summary>
    void Release(Lease lease, TimeSpan hidden);

    /// <summary>
    /// Sends messages again in an envelope of their own, hidden for the time <paramref name="hidden"/>, and settles them in this lease.
    /// </summary>
    void SendAgain(Lease lease, IReadOnlyList<InboundMessage> messages, TimeSpan hidden);

    /// <summary>Sends the message to the parked queue, where it waits for a subscriber with room, and settles it in its lease.</summary>
    void Park(InboundMessage message);

    /// <summary>Sends the message where other nodes get it, and settles it in its lease.</summary>
    void Forward(InboundMessage message, EnvelopeSender way);

    /// <summary>Sends the message to the dead-letter queue, and settles it in its lease.</summary>
    void DeadLetter(InboundMessage message);

    /// <summary>Sends an SQS message that is not an envelope to the dead-letter queue as it is, and deletes it.</summary>
    void DeadLetterWhole(Lease lease);
}
