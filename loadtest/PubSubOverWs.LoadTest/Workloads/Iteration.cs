using System.Diagnostics;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Targets;
using PubSubOverWs.LoadTest.Targets.Drain;

namespace PubSubOverWs.LoadTest.Workloads;

/// <summary>
/// Runs one iteration: all clients connect and subscribe, messages are sent when they are due, clients wait for theirs, sending ends, the
/// drain is proven, and all leave.
/// </summary>
public sealed class Iteration
{
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(5);

    private readonly ILoad _load;
    private readonly RunningTarget _server;
    private readonly TimeProvider _time;
    private readonly IReadOnlyList<IParticipant> _clients;
    private Task _disturbing = Task.CompletedTask;
    private Task _sending = Task.CompletedTask;

    private Iteration(ILoad load, RunningTarget server, TimeProvider time) =>
        (_load, _server, _time, _clients) = (load, server, time, load.Participants);

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
            await using var cut = cancellationToken.Register(iteration.Abort);
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
        await ConnectAsync(cancellationToken);
        var connected = Stopwatch.GetElapsedTime(start);
        var connections = _clients.Count(client => client.IsIn);

        var statsBefore = await _server.Servers.ReadStatsAsync(cancellationToken);
        var starts = _server.Servers.Starts;
        if (_server.Disturbance is { } begins)
            await begins.BeginAsync(cancellationToken);
        GC.Collect(); // The garbage of 10,000 handshakes must not be collected while latencies are measured.
        var collections = GC.CollectionCount(0);
        var cpu = CpuMeter.Start(_server);
        var firstDue = Stopwatch.GetTimestamp();
        _disturbing = _server.Disturbance?.RunAsync(active) ?? Task.CompletedTask;
        _sending = Sender.SendAsync(_load, firstDue, active);
        await WaitUntilAllArrivedAsync(firstDue, cancellationToken);
        var burst = Stopwatch.GetElapsedTime(firstDue);
        var cpuTimes = cpu.Stop();
        collections = GC.CollectionCount(0) - collections;
        await _sending;
        await _disturbing;

        await StopSendingAsync(cancellationToken);
        var drain = await DrainAsync(cancellationToken);
        var statsAfter = await _server.Servers.ReadStatsAsync(cancellationToken);
        await LeaveAsync(cancellationToken);
        var isCounted = _server.Servers.Starts == starts;
        var stats = _server.Servers.Between(isCounted ? statsBefore : [.. statsBefore.Select(_ => (string?)null)], statsAfter);
        return [.. _load.ObserveEach(start, firstDue).Select(seen => new IterationMeasurement(seen)
        {
            Connections = seen.Connected ?? connections,
            Connect = connected,
            Burst = seen.ClientBurst ?? burst,
            Drain = drain,
            Cpu = cpuTimes,
            Collections = collections,
            Stats = stats,
            Restarted = !isCounted,
        })];
    }

    /// <summary>A barrier: sending begins when every client has connected or failed.</summary>
    private Task ConnectAsync(CancellationToken cancellationToken)
    {
        var options = new ParallelOptions { MaxDegreeOfParallelism = _load.Bounds.ConnectsUnderWay, CancellationToken = cancellationToken };
        return Parallel.ForEachAsync(_clients, options, (client, _) => new ValueTask(client.EnterAsync(_time)));
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

    private async Task StopSendingAsync(CancellationToken cancellationToken)
    {
        try
        {
            await Task.WhenAll(_clients.Select(client => client.StopSendingAsync())).WaitAsync(CloseTimeout, _time, cancellationToken);
        }
        catch (TimeoutException)
        {
            // The outcome of unanswered messages stays unknown.
        }
    }

    private async Task LeaveAsync(CancellationToken cancellationToken)
    {
        foreach (var client in _clients)
            client.Leave();
        try
        {
            await Task.WhenAll(_clients.Select(client => client.EndAsync())).WaitAsync(CloseTimeout, _time, cancellationToken);
        }
        catch (TimeoutException)
        {
            // Servers should close first (RFC 6455, 7.1.1); connections that stay open are aborted.
        }
        await EndAsync();
    }

    /// <summary>Nothing of the iteration is open or running afterwards.</summary>
    private async Task EndAsync()
    {
        Abort();
        await _disturbing.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // A failure was awaited before.
        await _sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await Task.WhenAll(_clients.Select(client => client.EndAsync()));
        foreach (var client in _clients)
            client.Dispose();
    }

    private void Abort()
    {
        foreach (var client in _clients)
            client.Abort();
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
