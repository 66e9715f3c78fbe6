using System.Diagnostics;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>A client that reconnects after every loss of its connection until it leaves, and records its outages.</summary>
/// <param name="targets">Where it connects: to the first and, each time it lost its connection or did not get one, to the next.</param>
/// <param name="backoff">When it tries again.</param>
/// <param name="connectTimeout">For each try.</param>
/// <param name="receiveBufferBytes">Of the socket; null: as the system has it.</param>
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

    /// <summary>Whole once it has ended.</summary>
    public IReadOnlyList<Outage> Outages => _outages;

    /// <summary>Why the last try to connect failed; null: it did not.</summary>
    public ConnectFailure? LastFailure { get; private set; }

    /// <summary>The first connection: null, and it is there; else it is not, and no other try follows.</summary>
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

    /// <summary>Completes when it is connected, or has left: at once, unless it is away.</summary>
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

    /// <summary>After CONNECTED. Null: this client is where it wants to be.</summary>
    protected abstract Task<ConnectFailure?> GreetAsync(StompConnection connection);

    protected abstract void Take(StompConnection connection, StompFrame frame, long stamp);

    /// <summary>The connection is gone.</summary>
    /// <param name="why">What the server sent that no client can read; null: nothing.</param>
    protected abstract void Lost(string? why);

    /// <summary>It is there, for the first time or again.</summary>
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

    /// <summary>False: it left before it was back.</summary>
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

/// <summary>How the connections of one user came back.</summary>
/// <param name="Subscriber">When its subscriber was away, in order.</param>
/// <param name="Publisher">When its publisher was away, in order.</param>
/// <param name="Republished">How often it sent a message again that had no answer.</param>
public sealed record Returns(IReadOnlyList<Outage> Subscriber, IReadOnlyList<Outage> Publisher, int Republished)
{
    /// <summary>Of a user whose connection does not come back.</summary>
    public static Returns None { get; } = new([], [], 0);
}

/// <summary>A connection was lost and came back. Stamps are of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
/// <param name="From">The loss was noticed.</param>
/// <param name="Connected">CONNECTED came, and what it came for was sent: SUBSCRIBE, or what a publisher has to publish; null: it did not
/// come back.</param>
/// <param name="Until">A subscriber's SUBSCRIBE was answered; of a publisher, <paramref name="Connected"/>; null: it did not come
/// back.</param>
public readonly record struct Outage(long From, long? Connected, long? Until);

/// <summary>
/// How long a client waits before it tries to connect again: 50 to 100 ms after it lost its connection, then about twice as long after
/// every try that failed, up to 0.5 to 1 s. Not for several threads.
/// </summary>
/// <param name="random">Of this client alone, so that it waits as long in both arms.</param>
/// <param name="away">How long it stays away after each loss, exactly; zero: as long as the first step.</param>
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

    /// <summary>A try failed.</summary>
    public TimeSpan AfterFailure()
    {
        var wait = _step * ((1 + random.NextDouble()) / 2);
        _step = _step * 2 < Longest ? _step * 2 : Longest;
        return wait;
    }
}
