using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Browser;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>
/// The users of the paper, all in one page of a browser, which is the one participant. The page sends and stamps by its own clock, so that
/// no latency depends on two clocks. Where its times begin is known to within the way of one order to the page.
/// </summary>
public sealed class PageLoad(IterationPlan plan, ServerGroup servers, BrowserPage page) : ILoad, IParticipant
{
    // In addition to what its users may take, for the order and the answer.
    private static readonly TimeSpan Margin = TimeSpan.FromSeconds(10);

    // Chromium makes a connection wait for up to 5 s where more than some ten are being opened.
    private const int ConnectsUnderWay = 6;

    private readonly CancellationTokenSource _staying = new();
    private Task _sending = Task.CompletedTask;
    private Task _leaving = Task.CompletedTask;
    private PageAnswer? _entered;
    private PageAnswer? _done;
    private PageAnswer? _left;

    public IReadOnlyList<IParticipant> Participants => [this];

    public Countdown Waiting { get; } = new(1);

    public LoadBounds Bounds => new(plan.Deadline, ConnectsUnderWay, plan.Grace);

    public long Sends => (long)plan.Messages * plan.Users;

    public bool IsIn => _entered?.Connected > 0;

    /// <summary>The same in the words of the page.</summary>
    public static PagePlan Translate(IterationPlan plan, ServerGroup servers) => new(
        plan.Echo, plan.Receipts, plan.ConnectTimeout.TotalMilliseconds, ConnectsUnderWay,
        [
            .. Enumerable.Range(0, plan.Users).Select(user => new PageUser(
                $"ws://{servers.TargetOf(user).Host}{ClientTarget.Path}",
                plan.Destination(user),
                [
                    .. Enumerable.Range(0, plan.Messages).Select(sequence => new PageMessage(
                        plan.MessageId(user, sequence), Encoding.ASCII.GetString(plan.Body(user, sequence)),
                        plan.DueAt(user, sequence).TotalMilliseconds)),
                ])),
        ]);

    /// <summary>The log of a user, as if it had been here.</summary>
    /// <param name="user">From 0.</param>
    /// <param name="firstDue">A stamp of <see cref="Stopwatch"/>, from which the times of the page count.</param>
    public static ClientLog Replay(IterationPlan plan, int user, PageLog seen, long firstDue)
    {
        var log = plan.Log(user, new Countdown(1));
        if (seen.Failure is { } failure)
            log.Fail(new ConnectFailure(failure.Cause, failure.Detail));
        for (var i = 0; i < seen.SentMs.Count; i++)
            log.Messages[i].SentAt = seen.SentMs[i] is { } sent ? At(sent) : null;
        foreach (var receipt in seen.Receipts)
            log.Messages[receipt.Number].Answer(receipt.Outcome, At(receipt.Ms));
        foreach (var arrival in seen.Arrived)
            log.Take(arrival.Id, At(arrival.Ms), arrival.IsIntact);
        return log;

        long At(double milliseconds) => firstDue + (long)(milliseconds * Stopwatch.Frequency / 1000);
    }

    public TimeSpan DueAt(long send) => plan.Arrival.DueAt(send, Sends);

    /// <summary>With the first message the page begins; it knows when the others are due.</summary>
    /// <inheritdoc/>
    public void Send(long send)
    {
        if (send == 0)
            _sending = BeginAsync();
    }

    public async Task EnterAsync(TimeProvider time) =>
        _entered = await page.EnterAsync(
            Translate(plan, servers), plan.ConnectTimeout * Math.Ceiling((double)plan.Users / ConnectsUnderWay) + Margin, _staying.Token);

    /// <summary>Nothing to do: all due messages were sent.</summary>
    public Task StopSendingAsync() => Task.CompletedTask;

    public void Leave() => _leaving = LeaveAsync();

    public Task EndAsync() => Task.WhenAll(_sending, _leaving);

    public void Abort()
    {
        try
        {
            _staying.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // Already disposed.
        }
    }

    public void Dispose() => _staying.Dispose();

    /// <exception cref="ChildException">The page did not say what its users had seen.</exception>
    public Observed Observe(long start, long firstDue)
    {
        var logs = _left?.Users ?? throw new ChildException("The page of the browser did not say in time what its clients had received.");
        var seen = new ObservationBuilder([.. logs.Select((log, user) => Replay(plan, user, log, firstDue))], plan, start, firstDue);
        return new Observed(seen.Observations, [seen.Anomalies], seen.Acknowledged, seen.Failures)
        {
            Connected = _entered?.Connected,
            ClientBurst = _done?.DoneMs is { } done ? TimeSpan.FromMilliseconds(done) : null,
        };
    }

    private async Task BeginAsync()
    {
        try
        {
            _done = await AskAsync(PageOrder.Begin, Timeout.InfiniteTimeSpan);
        }
        finally
        {
            Waiting.Signal();
        }
    }

    private async Task LeaveAsync() => _left = await AskAsync(PageOrder.Leave, Margin);

    // Null: the iteration was aborted.
    private async Task<PageAnswer?> AskAsync(PageOrder order, TimeSpan atMost)
    {
        try
        {
            return await page.AskAsync(order, atMost, _staying.Token);
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }
}
