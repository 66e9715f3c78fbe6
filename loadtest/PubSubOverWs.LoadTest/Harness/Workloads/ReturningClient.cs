using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>A client that reconnects after every loss of its connection until it leaves, and records its outages.</summary>
/// <param name="targets">Where it connects: first to the first, and after every loss or failure to the next.</param>
/// <param name="connectTimeout">For each attempt.</param>
/// <param name="receiveBufferBytes">Of the socket; null: the system's default.</param>
public abstract class ReturningClient(
    IReadOnlyList<ClientTarget> targets, Backoff backoff, TimeSpan connectTimeout, int? receiveBufferBytes = null) : IDisposable
{
    private readonly CancellationTokenSource _staying = new();
    private readonly List<Outage> _outages = [];
    private volatile StompConnection? _connection;
    private TimeProvider _time = TimeProvider.System;
    private volatile TaskCompletionSource _back = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _serving = Task.CompletedTask;
    private long _connectedAt;
    private int _turn;

    /// <summary>Complete once it has ended.</summary>
    public IReadOnlyList<Outage> Outages => _outages;

    /// <summary>Why the last attempt to connect failed; null: it succeeded.</summary>
    public ConnectFailure? LastFailure { get; private set; }

    /// <summary>Connects for the first time. Null: success; otherwise it does not try again.</summary>
    public async Task<ConnectFailure?> EnterAsync(TimeProvider time)
    {
        _time = time;
        LastFailure = await ConnectAsync();
        if (LastFailure is null)
            _serving = ServeAsync();
        return LastFailure;
    }

    /// <summary>Closes the connection and does not reconnect; <see cref="EndAsync"/> waits until the server has closed it.</summary>
    public void Leave()
    {
        StopReturning();
        _connection?.Leave();
    }

    /// <summary>Completes when it is connected or has left.</summary>
    public Task BackAsync() => _back.Task;

    /// <summary>Completes when it has left.</summary>
    public Task EndAsync() => _serving;

    /// <summary>Ends at once, from any thread.</summary>
    public void Abort()
    {
        StopReturning();
        _connection?.Abort();
    }

    public void Dispose()
    {
        _connection?.Dispose();
        _staying.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>The steps after CONNECTED, such as SUBSCRIBE. Null: success.</summary>
    protected abstract Task<ConnectFailure?> GreetAsync(StompConnection connection);

    protected abstract void Take(StompConnection connection, StompFrame frame, long stamp);

    /// <summary>The connection was lost.</summary>
    /// <param name="why">The server sent something unreadable; null: it did not.</param>
    protected abstract void Lost(string? why);

    /// <summary>The connection is ready, for the first time or again.</summary>
    protected abstract void Arrived(StompConnection connection);

    protected virtual ValueTask<bool> ReceiveAsync(StompConnection connection) => connection.ReceiveAsync();

    protected Task WaitAsync(TimeSpan time) => Task.Delay(time, _time, _staying.Token);

    private void StopReturning()
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

    private async Task ServeAsync()
    {
        while (_connection is { } connection)
        {
            Arrived(connection);
            _back.SetResult();
            await ListenAsync(connection);
            var lost = Stopwatch.GetTimestamp();
            if (_staying.IsCancellationRequested)
                return;
            _back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            Lost(connection.Fault);
            _outages.Add(new Outage(lost, Connected: null, Until: null));
            if (!await ComeBackAsync())
            {
                _back.SetResult();
                return;
            }

            _outages[^1] = new Outage(lost, _connectedAt, Stopwatch.GetTimestamp());
        }
    }

    private async Task ListenAsync(StompConnection connection)
    {
        do
        {
            var stamp = Stopwatch.GetTimestamp();
            while (connection.TryRead(out var frame))
                Take(connection, frame, stamp);
        }
        while (await ReceiveAsync(connection));
    }

    /// <summary>False: it left before it had reconnected.</summary>
    private async Task<bool> ComeBackAsync()
    {
        for (var wait = backoff.AfterLoss(); ; wait = backoff.AfterFailure())
        {
            await WaitAsync(wait).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (_staying.IsCancellationRequested)
                return false;
            _connection?.Dispose();
            _turn++;
            LastFailure = await ConnectAsync();
            if (LastFailure is null)
                return true;
        }
    }

    private async Task<ConnectFailure?> ConnectAsync()
    {
        var connection = new StompConnection(targets[_turn % targets.Count], receiveBufferBytes);
        _connection = connection;
        using var timeout = new CancellationTokenSource(connectTimeout, _time);
        await using var late = connection.AbortOn(timeout.Token);
        await using var leaving = connection.AbortOn(_staying.Token);
        var failure = await connection.OpenAsync() ?? await connection.LogInAsync();
        if (failure is null)
        {
            _connectedAt = Stopwatch.GetTimestamp();
            failure = await GreetAsync(connection);
        }

        if (failure is not null)
            connection.Abort();
        return failure;
    }
}

/// <summary>The outages of one user, in order.</summary>
/// <param name="Republished">How often it sent a message again for lack of an answer.</param>
public sealed record Returns(IReadOnlyList<Outage> Subscriber, IReadOnlyList<Outage> Publisher, int Republished)
{
    /// <summary>For users that do not reconnect.</summary>
    public static Returns None { get; } = new([], [], 0);

    /// <summary>Of a load process with this clock, with stamps of the run's.</summary>
    public Returns By(WorkerClock clock)
    {
        return this with { Subscriber = [.. Subscriber.Select(Here)], Publisher = [.. Publisher.Select(Here)] };

        Outage Here(Outage there) => new(clock.Here(there.From), clock.Here(there.Connected), clock.Here(there.Until));
    }
}

/// <summary>A lost connection, from the loss to the reconnect. Stamps are of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
/// <param name="From">When the loss was noticed.</param>
/// <param name="Connected">When CONNECTED came, and SUBSCRIBE or the waiting messages were sent; null: it did not reconnect.</param>
/// <param name="Until">When SUBSCRIBE was answered; for a publisher <paramref name="Connected"/>; null: it did not reconnect.</param>
public readonly record struct Outage(long From, long? Connected, long? Until);

/// <summary>
/// How long a client waits before it connects again: 50 to 100 ms after a loss, then about twice as long after every failed attempt, up to
/// 0.5 to 1 s. Not thread-safe.
/// </summary>
/// <param name="random">Used for this client only, so that it waits equally long in all arms.</param>
/// <param name="away">The exact wait after each loss; zero: the first step.</param>
public sealed class Backoff(Random random, TimeSpan away)
{
    private static readonly TimeSpan First = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(1);

    private TimeSpan _step = First;

    /// <summary>The connection was lost.</summary>
    public TimeSpan AfterLoss()
    {
        _step = First;
        return away > TimeSpan.Zero ? away : AfterFailure();
    }

    /// <summary>An attempt failed.</summary>
    public TimeSpan AfterFailure()
    {
        var wait = _step * ((1 + random.NextDouble()) / 2);
        _step = _step * 2 < Longest ? _step * 2 : Longest;
        return wait;
    }
}
