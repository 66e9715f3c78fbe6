using System.Diagnostics;
using PubSubOverWs.LoadTest.Targets;
using PubSubOverWs.LoadTest.Targets.Drain;

namespace PubSubOverWs.LoadTest.Workloads;

/// <summary>
/// Runs one iteration: all clients connect and subscribe; when all are in, messages are sent; all wait until theirs have come; nobody sends
/// any more; the drain is proven; all leave.
/// </summary>
public sealed class Iteration
{
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(5);

    private readonly ILoad _load;
    private readonly RunningTarget _server;
    private readonly TimeProvider _time;
    private readonly IReadOnlyList<IParticipant> _clients;
    private Task _playing = Task.CompletedTask;
    private Task _sending = Task.CompletedTask;

    private Iteration(ILoad load, RunningTarget server, TimeProvider time) =>
        (_load, _server, _time, _clients) = (load, server, time, load.Participants);

    /// <param name="load">What to do.</param>
    /// <param name="server">Against what.</param>
    /// <param name="time">For time-outs; stamps are always of <see cref="Stopwatch"/>.</param>
    /// <param name="cancellationToken">Cuts all connections at once.</param>
    /// <exception cref="OperationCanceledException">It was cut; nothing of it counts.</exception>
    public static async Task<IterationMeasurement> RunAsync(
        ILoad load, RunningTarget server, TimeProvider time, CancellationToken cancellationToken)
    {
        var iteration = new Iteration(load, server, time);
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
        var connections = _clients.Count(client => client.IsIn);

        var statsBefore = await _server.Servers.ReadStatsAsync(cancellationToken);
        var starts = _server.Servers.Starts;
        if (_server.Disturbance is { } begins)
            await begins.BeginAsync(cancellationToken);
        GC.Collect(); // What 10,000 handshakes left behind is not to be collected while latencies are measured.
        var collections = GC.CollectionCount(0);
        var cpu = CpuMeter.Start(_server);
        var firstDue = Stopwatch.GetTimestamp();
        _playing = _server.Disturbance?.PlayAsync(play) ?? Task.CompletedTask;
        _sending = Sender.SendAsync(_load, firstDue, play);
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
        return new IterationMeasurement(_load.Observe(start, firstDue))
        {
            Connections = connections,
            Connect = connected,
            Burst = burst,
            Drain = drain,
            Cpu = cpuTimes,
            Collections = collections,
            Stats = _server.Servers.Between(isCounted ? statsBefore : [.. statsBefore.Select(_ => (string?)null)], statsAfter),
            Restarted = !isCounted,
        };
    }

    /// <summary>The barrier: nobody sends before everybody is in or has failed.</summary>
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
            await _load.Waiting.Reached.WaitAsync(atMost > TimeSpan.Zero ? atMost : TimeSpan.Zero, _time, cancellationToken);
        }
        catch (TimeoutException)
        {
            // What is missing is the finding.
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
            // An answer that never comes is an unknown outcome.
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
