using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Carries out the decisions of the <see cref="Dispatcher"/>. Those left undone when the server stops resolve themselves: the visibility of
/// the messages runs out, and the queue hands them out again.
/// </summary>
internal sealed class Settler : ISettlement
{
    /// <summary>Calls under way of each kind.</summary>
    public const int CallsAtOnce = 4;

    // The sender gathers them into calls.
    private const int ForwardsAtOnce = 100;

    private readonly ISqs _sqs;
    private readonly QueueUrls _urls;
    private readonly Leases _leases;
    private readonly QueueMeter _meter;
    private readonly QueueMemory _memory;
    private readonly PatientCalls _calls;
    // A lease is in one of the first two, and a message in the third, at most once: bounded by MaxInFlight and MaxInFlightBytes.
    private readonly BatchLoop<Lease> _deletes;
    private readonly BatchLoop<(Lease Lease, TimeSpan Hidden)> _releases;
    private readonly BatchLoop<(InboundMessage Message, EnvelopeSender Way)> _forwards;
    private readonly Transfers _transfers;

    public Settler(FlowContext flow)
    {
        var (time, linger) = (flow.Server.Time, flow.Server.Options.Settle.Linger);
        (_sqs, _urls, _leases, _calls) = (flow.Server.Sqs, flow.Urls, flow.Leases, flow.Calls);
        (_meter, _memory) = (flow.Server.Meter, flow.Server.Memory);
        _deletes = new(CallsAtOnce, DeleteAsync)
        {
            Linger = linger == TimeSpan.Zero ? null : () => _calls.PauseAsync(linger),
            Time = time,
        };
        _releases = new(CallsAtOnce, ReleaseAsync) { Time = time };
        _transfers = new Transfers(flow, Delete);
        _forwards = new(CallsAtOnce, batch => Task.WhenAll(batch.Select(forward => ForwardAsync(forward.Message, forward.Way))))
        {
            MaxEntries = ForwardsAtOnce,
            Time = time,
        };
    }

    public void Delete(Lease lease) => _deletes.Add(lease);

    public void Release(Lease lease, TimeSpan hidden) => _releases.Add((lease, hidden));

    public void Forward(InboundMessage message, EnvelopeSender way) => _forwards.Add((message, way));

    // The rest is sent by a class of its own: the dispatcher has one interface for all that it decides.

    public void SendAgain(Lease lease, IReadOnlyList<InboundMessage> messages, TimeSpan hidden) =>
        _transfers.SendAgain(lease, messages, hidden);

    public void Park(InboundMessage message) => _transfers.Park(message);

    public void DeadLetter(InboundMessage message) => _transfers.DeadLetter(message);

    public void DeadLetterWhole(Lease lease) => _transfers.DeadLetterWhole(lease);

    /// <summary>Completes when all is done that was asked for until now.</summary>
    public async Task IdleAsync()
    {
        // First those that end in a delete.
        await Task.WhenAll(_transfers.IdleAsync(), _forwards.IdleAsync());
        await Task.WhenAll(_releases.IdleAsync(), _deletes.IdleAsync());
    }

    private async Task DeleteAsync(IReadOnlyList<Lease> batch)
    {
        var handles = batch.Select(lease => lease.ReceiptHandle).ToArray();
        // No token, nor below: a call that is cut off may have been carried out. PatientCalls stops repeating it when the server stops.
        var results = await _calls.CallAsync(() => _sqs.DeleteMessageBatchAsync(_urls.Url, handles, CancellationToken.None));
        var again = await CountAsync(batch, results, _meter.AddDeleted);
        // The others stay leased, and hidden, until they are deleted.
        _leases.Remove(Without(batch, again));
        again.ForEach(_deletes.Add);
    }

    private async Task ReleaseAsync(IReadOnlyList<(Lease Lease, TimeSpan Hidden)> batch)
    {
        var entries = batch.Select(release => new VisibilityEntry(release.Lease.ReceiptHandle, release.Hidden)).ToArray();
        var results = await _calls.CallAsync(() => _sqs.ChangeMessageVisibilityBatchAsync(_urls.Url, entries, CancellationToken.None));
        var again = await CountAsync(batch, results, _meter.AddReleased);
        _leases.Remove([.. Without(batch, again).Select(release => release.Lease)]);
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
                _meter.AddForwarded();
                message.Settle();
                return;
            }
        }
        catch (SqsException failure) when (way.IsLost(failure))
        {
            message.NotForwarded();
            return;
        }
        catch (SqsException)
        {
            // QueueHealth was told.
        }
        catch (ObjectDisposedException)
        {
            // The server stops, and releases it.
            return;
        }
        if (await _calls.PauseAsync())
            message.NotForwarded();
    }

    /// <returns>All that failed on the queue's side, to be tried again; nothing when the server stops.</returns>
    private async Task<List<T>> CountAsync<T>(IReadOnlyList<T> batch, IReadOnlyList<EntryResult>? results, Action<int> done)
    {
        // Messages that were not deleted or released show up in the parked queue again, uncounted.
        if (_urls.IsParked && !_calls.IsStopping && (results is null || results.Any(result => result.Failure is { SenderFault: true })))
            _memory.Parked.Forget();
        if (results is null)
            return [];
        var failed = batch.Where((_, i) => results[i].Failure is { SenderFault: false }).ToList();
        var succeeded = results.Count(result => result.Succeeded);
        done(succeeded);
        if (batch.Count - succeeded - failed.Count is var stale && stale > 0)
            _meter.AddStaleReceipts(stale);
        // The client has retried each several times already, with waits; another pause is made only when nothing at all succeeds.
        var goesOn = failed.Count < batch.Count ? !_calls.IsStopping : await _calls.PauseAsync();
        return goesOn ? failed : [];
    }

    private static IReadOnlyList<T> Without<T>(IReadOnlyList<T> batch, List<T> again) =>
        again.Count == 0 ? batch : [.. batch.Except(again)];
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
