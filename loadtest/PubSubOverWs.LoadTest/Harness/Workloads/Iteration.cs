using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>
/// Runs one iteration: all clients connect and subscribe, messages are sent when they are due, clients wait for theirs, sending ends, the
/// drain is proven, and all leave.
/// </summary>
public sealed class Iteration
{
    private readonly ILoad _load;
    private readonly RunningTarget _server;
    private readonly TimeProvider _time;
    private readonly LoadClients _clients;
    private Task _disturbing = Task.CompletedTask;
    private Task _sending = Task.CompletedTask;

    private Iteration(ILoad load, RunningTarget server, TimeProvider time) =>
        (_load, _server, _time, _clients) = (load, server, time, new LoadClients(load, time));

    /// <param name="time">For time-outs; stamps are always of <see cref="Stopwatch"/>.</param>
    /// <param name="cancellationToken">Aborts all connections.</param>
    /// <exception cref="OperationCanceledException">The iteration was interrupted, and does not count.</exception>
    public static async Task<IterationMeasurement> RunAsync(
        ILoad load, RunningTarget server, TimeProvider time, CancellationToken cancellationToken) =>
        (await RunTogetherAsync(load, server, time, cancellationToken)).Single();

    /// <summary>The same of a load that is several trials at once: a measurement for each, in their order.</summary>
    /// <inheritdoc cref="RunAsync(ILoad, RunningTarget, TimeProvider, CancellationToken)"/>
    public static async Task<IReadOnlyList<IterationMeasurement>> RunTogetherAsync(
        ILoad load, RunningTarget server, TimeProvider time, CancellationToken cancellationToken)
    {
        var iteration = new Iteration(load, server, time);
        using var active = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            await using var cut = cancellationToken.Register(iteration._clients.Abort);
            return await iteration.RunAsync(active.Token, cancellationToken);
        }
        finally
        {
            await active.CancelAsync();
            await iteration.EndAsync();
        }
    }

    private async Task<IReadOnlyList<IterationMeasurement>> RunAsync(CancellationToken active, CancellationToken cancellationToken)
    {
        var start = Stopwatch.GetTimestamp();
        await _clients.ConnectAsync(cancellationToken);
        var connected = Stopwatch.GetElapsedTime(start);
        var connections = _clients.Connected;

        var statsBefore = await _server.Servers.ReadStatsAsync(cancellationToken);
        var starts = _server.Servers.Starts;
        if (_server.Disturbance is { } begins)
            await begins.BeginAsync(cancellationToken);
        GC.Collect(); // The garbage of 10,000 handshakes must not be collected while latencies are measured.
        var collections = GC.CollectionCount(0);
        var cpu = CpuMeter.Start(_server);
        var firstDue = Stopwatch.GetTimestamp() + (long)(_load.Lead.TotalSeconds * Stopwatch.Frequency);
        _load.Begin(firstDue);
        _disturbing = _server.Disturbance?.RunAsync(active) ?? Task.CompletedTask;
        _sending = Sender.SendAsync(_load, firstDue, active);
        await WaitUntilAllArrivedAsync(firstDue, cancellationToken);
        var burst = Stopwatch.GetElapsedTime(firstDue);
        var cpuTimes = cpu.Stop();
        collections = GC.CollectionCount(0) - collections;
        await _sending;
        await _disturbing;

        await _clients.StopSendingAsync(cancellationToken);
        var drain = await DrainAsync(cancellationToken);
        var statsAfter = await _server.Servers.ReadStatsAsync(cancellationToken);
        await _clients.LeaveAsync(cancellationToken);
        await EndAsync();
        // What was cut has nothing to say, also where nothing was waited for any more when that came.
        cancellationToken.ThrowIfCancellationRequested();
        var isCounted = _server.Servers.Starts == starts;
        var stats = _server.Servers.Between(isCounted ? statsBefore : [.. statsBefore.Select(_ => (string?)null)], statsAfter);
        var seen = _load is IRoundLoad round ? round.ObserveEach(start, firstDue) : [_load.Observe(start, firstDue)];
        return [.. seen.Select(one => new IterationMeasurement(one)
        {
            Connections = one.Connected ?? connections,
            Connect = connected,
            Burst = one.ClientBurst ?? burst,
            Drain = drain,
            Cpu = cpuTimes,
            Collections = one.ClientCollections ?? collections,
            Stats = stats,
            Restarted = !isCounted,
        })];
    }

    private async Task WaitUntilAllArrivedAsync(long firstDue, CancellationToken cancellationToken)
    {
        var lastDeadline = _load.DueAt(_load.Sends - 1) + _load.Bounds.Deadline;
        using var waiting = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var arrived = WaitAsync(lastDeadline - Stopwatch.GetElapsedTime(firstDue), waiting.Token);
        if (await Task.WhenAny(arrived, _disturbing) == _disturbing && !_disturbing.IsCompletedSuccessfully)
        {
            await waiting.CancelAsync();
            await arrived.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // The disturbance reports the failure.
            await _disturbing;
        }
        await arrived;
    }

    /// <summary>Waits for missing messages; not at all if <paramref name="atMost"/> is not positive.</summary>
    private async Task WaitAsync(TimeSpan atMost, CancellationToken cancellationToken)
    {
        try
        {
            await _load.Waiting.Reached.WaitAsync(atMost > TimeSpan.Zero ? atMost : TimeSpan.Zero, _time, cancellationToken);
        }
        catch (TimeoutException)
        {
            // Missing messages are a result.
        }
    }

    private async Task<DrainResult> DrainAsync(CancellationToken cancellationToken)
    {
        var result = _server.Queue?.Drain is { } proof ? await proof.ProveAsync(cancellationToken) : DrainResult.NoQueue;
        if (!_load.Waiting.Reached.IsCompleted)
            await WaitAsync(_load.Bounds.Grace, cancellationToken);
        return result;
    }

    /// <summary>Nothing of the iteration is open or running afterwards.</summary>
    private async Task EndAsync()
    {
        _clients.Abort();
        await _disturbing.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // A failure was awaited before.
        await _sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _clients.EndAsync();
    }
}

/// <summary>The raw results of one iteration.</summary>
/// <param name="Seen">The observations of its clients.</param>
public sealed record IterationMeasurement(Observed Seen) : Observed(Seen)
{
    /// <summary>Users connected and subscribed when the burst began.</summary>
    public required int Connections { get; init; }

    /// <summary>Until all users were connected, or had failed.</summary>
    public required TimeSpan Connect { get; init; }

    /// <summary>From the first due time until the last arrival or the deadline.</summary>
    public required TimeSpan Burst { get; init; }

    public required DrainResult Drain { get; init; }

    /// <summary>Over the burst.</summary>
    public required CpuTimes Cpu { get; init; }

    /// <summary>/stats of each server, unchanged, from just before the burst and after the drain.</summary>
    public required IReadOnlyList<ServerStats> Stats { get; init; }

    /// <summary>Garbage collections of this process during the burst: their pauses are part of the latencies.</summary>
    public required int Collections { get; init; }

    /// <summary>A server was restarted during the iteration, and lost its counts.</summary>
    public required bool Restarted { get; init; }
}
