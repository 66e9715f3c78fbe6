using System.Diagnostics;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.LoadTest.Targets.Drain;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>
/// Runs one iteration: all users connect and subscribe; when all are in, they send; each waits for its own messages; nobody sends any more;
/// the drain is proven; all leave.
/// </summary>
public sealed class Iteration
{
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(5);

    private readonly IterationPlan _plan;
    private readonly ServerUnderTest _server;
    private readonly TimeProvider _time;
    private readonly Countdown _waiting;
    private readonly IParticipant[] _users;
    private Task _playing = Task.CompletedTask;
    private Task _sending = Task.CompletedTask;

    private Iteration(IterationPlan plan, ServerUnderTest server, TimeProvider time)
    {
        (_plan, _server, _time) = (plan, server, time);
        _waiting = new Countdown(plan.Users);
        _users = [.. plan.Pairs is { } pairs
            ? Pairs(pairs.SlowAmong(plan.Users))
            : Enumerable.Range(0, plan.Users).Select(i => new User(i, plan, server.Servers.TargetOf(i), _waiting))];
    }

    /// <param name="plan">What to do.</param>
    /// <param name="server">Against what.</param>
    /// <param name="time">For time-outs; stamps are always of <see cref="Stopwatch"/>.</param>
    /// <param name="cancellationToken">Cuts all connections at once.</param>
    /// <exception cref="OperationCanceledException">It was cut; nothing of it counts.</exception>
    public static async Task<IterationMeasurement> RunAsync(
        IterationPlan plan, ServerUnderTest server, TimeProvider time, CancellationToken cancellationToken)
    {
        var iteration = new Iteration(plan, server, time);
        using var play = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            await using var cut = cancellationToken.Register(iteration.Abort);
            return await iteration.RunAsync(play.Token, cancellationToken);
        }
        finally
        {
            await play.CancelAsync();
            await iteration.EndAsync();
        }
    }

    private async Task<IterationMeasurement> RunAsync(CancellationToken play, CancellationToken cancellationToken)
    {
        var start = Stopwatch.GetTimestamp();
        await ConnectAsync(cancellationToken);
        var connected = Stopwatch.GetElapsedTime(start);
        var connections = _users.Count(user => user.IsIn);

        var statsBefore = await _server.Servers.ReadStatsAsync(cancellationToken);
        var starts = _server.Servers.Starts;
        if (_server.Disturbance is { } begins)
            await begins.BeginAsync(cancellationToken);
        GC.Collect(); // What 10,000 handshakes left behind is not to be collected while latencies are measured.
        var collections = GC.CollectionCount(0);
        var cpu = CpuMeter.Start(_server);
        var firstDue = Stopwatch.GetTimestamp();
        _playing = _server.Disturbance?.PlayAsync(play) ?? Task.CompletedTask;
        _sending = Sender.SendAsync(_users, _plan, firstDue, play);
        await WaitUntilAllArrivedAsync(firstDue, cancellationToken);
        var burst = Stopwatch.GetElapsedTime(firstDue);
        var cpuTimes = cpu.Stop();
        collections = GC.CollectionCount(0) - collections;
        await _sending;
        await _playing;

        await StopSendingAsync(cancellationToken);
        var drain = await DrainAsync(cancellationToken);
        var statsAfter = await _server.Servers.ReadStatsAsync(cancellationToken);
        await LeaveAsync(cancellationToken);
        var isCounted = _server.Servers.Starts == starts;
        var findings = new ObservationBuilder([.. _users.Select(user => user.Log)], _plan, start, firstDue);
        return new IterationMeasurement
        {
            Observations = findings.Observations,
            Anomalies = findings.Anomalies,
            Acknowledged = findings.Acknowledged,
            Failures = findings.Failures,
            Connections = connections,
            Connect = connected,
            Burst = burst,
            Drain = drain,
            Cpu = cpuTimes,
            Collections = collections,
            Stats = _server.Servers.Between(isCounted ? statsBefore : [.. statsBefore.Select(_ => (string?)null)], statsAfter),
            Restarted = !isCounted,
            Windows = [.. _users.SelectMany((user, i) => Windows(i, user.Returns, start))],
            Republished = _users.Sum(user => (long)user.Returns.Republished),
        };
    }

    /// <summary>The barrier: nobody sends before everybody is in or has failed.</summary>
    private Task ConnectAsync(CancellationToken cancellationToken)
    {
        var options = new ParallelOptions { MaxDegreeOfParallelism = _plan.ConnectsUnderWay, CancellationToken = cancellationToken };
        return Parallel.ForEachAsync(_users, options, (user, _) => new ValueTask(user.EnterAsync(_time)));
    }

    private async Task WaitUntilAllArrivedAsync(long firstDue, CancellationToken cancellationToken)
    {
        var lastDeadline = _plan.DueAt(_plan.Users - 1, _plan.Messages - 1) + _plan.Deadline;
        using var waiting = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var arrived = WaitAsync(lastDeadline - Stopwatch.GetElapsedTime(firstDue), waiting.Token);
        if (await Task.WhenAny(arrived, _playing) == _playing && !_playing.IsCompletedSuccessfully)
        {
            await waiting.CancelAsync();
            await arrived.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // What failed is said by the play.
            await _playing;
        }
        await arrived;
    }

    /// <summary>Waits for what is missing, no longer than this; not at all when it is over already.</summary>
    private async Task WaitAsync(TimeSpan atMost, CancellationToken cancellationToken)
    {
        try
        {
            await _waiting.Reached.WaitAsync(atMost > TimeSpan.Zero ? atMost : TimeSpan.Zero, _time, cancellationToken);
        }
        catch (TimeoutException)
        {
            // What is missing is the finding.
        }
    }

    private async Task<DrainResult> DrainAsync(CancellationToken cancellationToken)
    {
        var result = _server.Drain is { } proof ? await proof.ProveAsync(cancellationToken) : DrainResult.NoQueue;
        if (!_waiting.Reached.IsCompleted)
            await WaitAsync(_plan.Grace, cancellationToken);
        return result;
    }

    private async Task StopSendingAsync(CancellationToken cancellationToken)
    {
        try
        {
            await Task.WhenAll(_users.Select(user => user.StopSendingAsync())).WaitAsync(CloseTimeout, _time, cancellationToken);
        }
        catch (TimeoutException)
        {
            // An answer that never comes is an unknown outcome.
        }
    }

    private async Task LeaveAsync(CancellationToken cancellationToken)
    {
        foreach (var user in _users)
            user.Leave();
        try
        {
            await Task.WhenAll(_users.Select(user => user.EndAsync())).WaitAsync(CloseTimeout, _time, cancellationToken);
        }
        catch (TimeoutException)
        {
            // Servers should close first (RFC 6455, 7.1.1); who does not is cut off.
        }
        await EndAsync();
    }

    /// <summary>After this nothing of the iteration is open or running.</summary>
    private async Task EndAsync()
    {
        Abort();
        await _playing.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // Who cut it knows why, and who did not has awaited it.
        await _sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await Task.WhenAll(_users.Select(user => user.EndAsync()));
        foreach (var user in _users)
            user.Dispose();
    }

    private IEnumerable<IParticipant> Pairs(IReadOnlySet<int> slow) => Enumerable.Range(0, _plan.Users).Select(
        i => new Pair(i, _plan, _server.Servers.PublishingOf(i), _server.Servers.SubscribingOf(i), slow.Contains(i), _waiting));

    private static IEnumerable<OfflineWindow> Windows(int user, Returns returns, long start) =>
        returns.Subscriber.Select(outage => Window(true, user, outage, start))
            .Concat(returns.Publisher.Select(outage => Window(false, user, outage, start)));

    private static OfflineWindow Window(bool isSubscriber, int user, Outage outage, long start)
    {
        return new(isSubscriber, user, Time(outage.From)!.Value, Time(outage.Connected), Time(outage.Until));

        TimeSpan? Time(long? stamp) => stamp is { } at ? Stopwatch.GetElapsedTime(start, at) : null;
    }

    private void Abort()
    {
        foreach (var user in _users)
            user.Abort();
    }
}
