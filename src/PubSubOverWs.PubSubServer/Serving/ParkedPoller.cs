using PubSubOverWs.Queues;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Receives from the parked queue in rounds, one whenever a subscriber has room for messages that may be there. The dispatcher delivers as
/// many as it can, and parks the rest again. A round ends when nothing more comes, when it has parked again as many messages as the queue
/// had when it began, or when no subscriber waits for more.
/// </summary>
internal sealed class ParkedPoller(FlowContext flow, Dispatcher dispatcher)
{
    private static readonly TimeSpan ShortestPause = TimeSpan.FromSeconds(1);

    private readonly ParkedDestinations _parked = flow.Server.Parked;
    private readonly TimeProvider _time = flow.Server.Time;

    private readonly ReceiveRequest _request = new()
    {
        MaxMessages = QueueLimits.MaxBatchEntries,
        // Long enough to ask all machines of SQS, not only some.
        WaitTime = TimeSpan.FromSeconds(1),
        Visibility = flow.Server.Options.VisibilityTimeout,
    };

    private volatile bool _wasWhole;

    /// <summary>Ends after <paramref name="stopping"/> fired, when the last receive has come back.</summary>
    public async Task RunAsync(CancellationToken stopping)
    {
        var calls = new PatientCalls(_time, stopping);
        try
        {
            while (true)
            {
                await _parked.DueAsync(stopping);
                if (!await TryBeginRoundAsync(calls, stopping))
                    continue;
                var began = _time.GetTimestamp();
                await MakeRoundAsync(calls, stopping);
                flow.Server.Meter.AddParkedRound();
                if (!_parked.EndRound(_wasWhole) && !await calls.PauseAsync(PauseAfter(_time.GetElapsedTime(began))))
                    return;
            }
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            // The server stops.
        }
    }

    // At most half of the time goes into rounds that give back more than they deliver.
    private static TimeSpan PauseAfter(TimeSpan round) => round > ShortestPause ? round : ShortestPause;

    private async Task<bool> TryBeginRoundAsync(PatientCalls calls, CancellationToken stopping)
    {
        try
        {
            var before = _parked.Counted + flow.Leases.Count;
            var inQueue = await flow.Server.Queue.CountAsync(flow.Urls.Url, stopping);
            // Before or after: meanwhile messages were parked, received or deleted.
            var leased = flow.Leases.Count;
            return _parked.TryBeginRound(inQueue - leased, Math.Max(before - leased, _parked.Counted));
        }
        catch (QueueException)
        {
            await calls.PauseAsync();
            return false;
        }
    }

    private async Task MakeRoundAsync(PatientCalls calls, CancellationToken stopping)
    {
        _wasWhole = false;
        await Task.WhenAll(Enumerable.Range(0, flow.Server.Options.PollLoops)
            .Select(loop => ReceiveAsync(isFirst: loop == 0, calls, stopping)));
    }

    // A round that gives back more than it delivers goes on with one loop, so that it takes little from deliveries.
    private async Task ReceiveAsync(bool isFirst, PatientCalls calls, CancellationToken stopping)
    {
        while (!_wasWhole && !_parked.IsRoundOver && (isFirst || _parked.IsRoundWorthIt))
        {
            try
            {
                using var room = await flow.Leases.RoomAsync(stopping);
                var unseen = Unseen;
                var received = await flow.Server.Queue.ReceiveAsync(flow.Urls.Url, _request, stopping);
                if (Unseen != unseen)
                    _parked.Forget();
                dispatcher.Accept(received);
                if (received.Count == 0 || _parked.HasMetAll)
                    _wasWhole = true;
            }
            catch (QueueException)
            {
                _parked.Forget();
                await calls.PauseAsync();
            }
        }
    }

    // Messages of such receives are hidden and were not seen here. Of all queues together: at worst a scan too many.
    private long Unseen => flow.Server.Queue.Traffic.UnansweredReceives + flow.Server.Queue.Traffic.Corrupted;
}
