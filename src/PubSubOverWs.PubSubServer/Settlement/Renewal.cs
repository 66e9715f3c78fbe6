using PubSubOverWs.Queues;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Keeps received messages hidden: renews the visibility of each lease between a third of it and 0.6, evenly and in batches. As many calls
/// are under way as the leases need, each with a time-out: a call without an answer delays only its own batch, which is retried.
/// </summary>
internal sealed class Renewal
{
    /// <summary>Enough for 110,000 leases of 30 s (1,100 calls a second) where a call takes 50 ms.</summary>
    public const int CallsAtOnce = 64;

    private static readonly TimeSpan LongestCall = TimeSpan.FromSeconds(10);

    // SQS hides a message for 12 h from its receive, which this server saw a little later.
    private static readonly TimeSpan LongestHidden = TimeSpan.FromHours(12) - TimeSpan.FromMinutes(1);

    private readonly FlowContext _flow;
    private readonly Dispatcher _dispatcher;

    // Each lease is in it at most once (IsBeingRenewed): bounded by MaxInFlight.
    private readonly BatchLoop<Lease> _renewals;

    /// <param name="dispatcher">Told of leases that the queue took back.</param>
    public Renewal(FlowContext flow, Dispatcher dispatcher)
    {
        _flow = flow;
        _dispatcher = dispatcher;
        _renewals = new BatchLoop<Lease>(CallsAtOnce, RenewAsync) { Time = _flow.Server.Time };
    }

    private TimeSpan Visibility => _flow.Server.Options.VisibilityTimeout;

    /// <summary>Ends when <paramref name="stopping"/> fires, and the calls under way have ended.</summary>
    public async Task RunAsync(CancellationToken stopping)
    {
        using var timer = new PeriodicTimer(_flow.Leases.RenewalTick, _flow.Server.Time);
        try
        {
            while (await timer.WaitForNextTickAsync(stopping))
                RenewDue();
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            // The server stops.
        }
        await IdleAsync();
    }

    /// <summary>Begins to renew the leases that are due and not being renewed.</summary>
    public void RenewDue() => _renewals.AddAll(_flow.Leases.TakeDue());

    /// <summary>Completes when the renewals that were begun have ended.</summary>
    public Task IdleAsync() => _renewals.IdleAsync();

    private async Task RenewAsync(IReadOnlyList<Lease> batch)
    {
        // What no subscriber has begins its 12 h anew with another receive, and is not hidden until they are over.
        foreach (var lease in batch.Where(lease => Left(lease) < Visibility))
            _dispatcher.ReleaseIdle(lease);
        for (var left = ToRenew(batch); left.Count > 0; left = ToRenew(left))
        {
            if (await TryAsync(left) || !await _flow.Calls.PauseAsync())
                break;
        }
        _flow.Leases.Renewed(batch);
    }

    /// <summary>Those that are still here, and may be hidden for longer.</summary>
    private IReadOnlyList<Lease> ToRenew(IReadOnlyList<Lease> leases) =>
        [.. _flow.Leases.StillHere(leases).Where(lease => !lease.IsReleased && Left(lease) > TimeSpan.Zero)];

    /// <summary>For how long the queue may hide it from now on, in whole seconds.</summary>
    private TimeSpan Left(Lease lease) =>
        TimeSpan.FromSeconds(Math.Floor((LongestHidden - _flow.Server.Time.GetElapsedTime(lease.ReceivedAt)).TotalSeconds));

    /// <returns>False: there was no answer in time, or it was that the queue cannot do it now.</returns>
    private async Task<bool> TryAsync(IReadOnlyList<Lease> batch)
    {
        var entries = batch.Select(lease => new HoldEntry(lease.ReceiptHandle, Left(lease) < Visibility ? Left(lease) : Visibility))
            .ToArray();
        var began = _flow.Server.Time.GetTimestamp();
        var hadLapsed = batch.Any(_flow.Leases.MayHaveLapsed);
        using var patience = new CancellationTokenSource(Visibility / 6 < LongestCall ? Visibility / 6 : LongestCall, _flow.Server.Time);
        try
        {
            var results = await _flow.Server.Queue.HoldAsync(_flow.Urls.Url, entries, patience.Token);
            // While the call was under way, too: what was offered then was not delivered, and its room is forgotten.
            hadLapsed |= batch.Any(_flow.Leases.MayHaveLapsed);
            for (var i = 0; i < batch.Count; i++)
            {
                if (results[i].Succeeded)
                    batch[i].ConfirmedAt = began;
                // Refused for good: received again by another, or deleted meanwhile.
                if (results[i].Failure is not { SenderFault: true })
                    continue;
                _flow.Server.Meter.AddStaleReceipts(1);
                _dispatcher.Lost(batch[i]);
            }
            // What was not offered meanwhile is renewed, or gone and no longer in the way.
            if (hadLapsed)
                _dispatcher.RoomEverywhere();
            return true;
        }
        catch (QueueException failure)
        {
            // Logged by WatchedQueue. A batch that is refused will be due again.
            return !failure.IsRetryable;
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested)
        {
            return false;
        }
    }
}
