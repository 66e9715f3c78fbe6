using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Receives from the parked queue in rounds, one whenever a subscriber has room for messages that may be there. The dispatcher delivers as
/// many as it can, and parks the rest again. A round ends when it has met all messages that were there when it began, or earlier when no
/// subscriber waits for more.
/// </summary>
internal sealed class ParkedPoller(FlowContext flow, Dispatcher dispatcher)
{
    // The order of a standard queue is best effort: messages older than the round come before those parked since, more or less.
    private const int ReceivesOfNewInARow = 16;

    private static readonly TimeSpan ShortestPause = TimeSpan.FromSeconds(1);

    private readonly ParkedDestinations _parked = flow.Server.Memory.Parked;
    private readonly TimeProvider _time = flow.Server.Time;

    private readonly ReceiveRequest _request = new()
    {
        MaxMessages = SqsLimits.MaxBatchEntries,
        // Long enough to ask all machines of SQS, not only some.
        WaitTime = TimeSpan.FromSeconds(1),
        Visibility = flow.Server.Options.VisibilityTimeout,
    };

    private int _newInARow;
    private volatile bool _isOver;
    private volatile bool _wasWhole;

    /// <summary>Ends after <paramref name="stopping"/> fired, when the last receive has come back.</summary>
    public async Task RunAsync(CancellationToken stopping)
    {
        var calls = new PatientCalls(_time, stopping);
        try
        {
            while (true)
            {
                var since = await _parked.BeginRoundAsync(stopping);
                var began = _time.GetTimestamp();
                await MakeRoundAsync(since, calls, stopping);
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

    private async Task MakeRoundAsync(long since, PatientCalls calls, CancellationToken stopping)
    {
        (_newInARow, _isOver, _wasWhole) = (0, false, false);
        await Task.WhenAll(Enumerable.Range(0, flow.Server.Options.PollLoops)
            .Select(loop => ReceiveAsync(isFirst: loop == 0, since, calls, stopping)));
    }

    // A round that gives back more than it delivers goes on with one loop, so that it takes little from deliveries.
    private async Task ReceiveAsync(bool isFirst, long since, PatientCalls calls, CancellationToken stopping)
    {
        while (!_isOver && !_parked.IsRoundOver && (isFirst || _parked.IsRoundWorthIt))
        {
            try
            {
                using var room = await flow.Leases.RoomAsync(stopping);
                var received = await flow.Server.Sqs.ReceiveMessagesAsync(flow.Urls.Url, _request, stopping);
                var leased = dispatcher.Accept(received);
                var isNew = leased.All(lease => lease.ParkedAt >= since);
                var newInARow = isNew ? Interlocked.Increment(ref _newInARow) : Interlocked.Exchange(ref _newInARow, 0);
                if (received.Count == 0 || (isNew && newInARow >= ReceivesOfNewInARow))
                    _isOver = _wasWhole = true;
            }
            catch (SqsException)
            {
                await calls.PauseAsync();
            }
        }
    }
}
