using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>
/// One user of the workload <c>pairs</c>: a publisher and a subscriber that reconnect, with a connection each and one client log.
/// </summary>
public sealed class Pair : IOneWayUser
{
    private readonly Lock _guard = new();
    private readonly Publisher _publisher;
    private readonly Subscriber _subscriber;

    /// <param name="index">From 0.</param>
    /// <param name="plan">With <see cref="IterationPlan.Pairs"/>.</param>
    /// <param name="waiting">Signaled when it has all its messages.</param>
    public Pair(int index, IterationPlan plan, ClientTarget publishing, ClientTarget subscribing, bool isSlow, Countdown waiting)
    {
        var pairs = plan.Pairs!;
        (Log, var sends) = plan.Build(index, waiting);
        _publisher = new Publisher([publishing], pairs.BackoffOf(plan.Iteration, index, isSubscriber: false), plan.ConnectTimeout,
            pairs.MostUnanswered, Log, sends, _guard);
        _subscriber = new Subscriber(
            subscribing, pairs.BackoffOf(plan.Iteration, index, isSubscriber: true), plan, index, Log, _guard,
            isSlow ? pairs.SlowBytesPerSecond : null);
    }

    public ClientLog Log { get; }

    public bool IsIn { get; private set; }

    public Returns Returns => new(_subscriber.Outages, _publisher.Outages, _publisher.Republished);

    public async Task EnterAsync(TimeProvider time)
    {
        var failure = await _subscriber.EnterAsync(time) ?? await _publisher.EnterAsync(time);
        IsIn = failure is null;
        if (failure is null)
            return;
        Abort();
        lock (_guard)
        {
            Log.Fail(failure);
            Log.GiveUp();
        }
    }

    public void Send(int sequence)
    {
        if (IsIn)
            _publisher.BecomesDue();
    }

    /// <summary>
    /// The publisher leaves first: by reconnecting it could publish to a queue whose drain is about to be proven. A subscriber that is away
    /// still reconnects.
    /// </summary>
    public async Task StopSendingAsync()
    {
        _subscriber.ReadAtFullSpeed();
        if (!IsIn)
            return;
        await _publisher.StopAsync();
        await _publisher.EndAsync();
        await _subscriber.BackAsync();
    }

    public void Leave()
    {
        _publisher.Leave();
        _subscriber.Leave();
    }

    public Task EndAsync() => Task.WhenAll(_publisher.EndAsync(), _subscriber.EndAsync());

    public void Abort()
    {
        _publisher.Abort();
        _subscriber.Abort();
    }

    public void Dispose()
    {
        _publisher.Dispose();
        _subscriber.Dispose();
    }
}

/// <summary>Subscribes to one user's queue, again after every reconnect, and acknowledges each message that is in the client log.</summary>
/// <param name="bytesPerSecond">The most that it reads; null: no limit.</param>
public sealed class Subscriber(
    ClientTarget target, Backoff backoff, IterationPlan plan, int user, ClientLog log, Lock guard, int? bytesPerSecond)
    : ReturningClient([target], backoff, plan.ConnectTimeout, bytesPerSecond is null ? null : SlowReceiveBuffer)
{
    // The default buffer of megabytes would hide a slow reader from the server for a long time.
    private const int SlowReceiveBuffer = 4096;
    private const int ReadsPerSecond = 10;

    private readonly byte[] _subscribe = StompMessages.Subscribe("s", plan.Destination(user), "client-individual");
    private volatile bool _readsAtFullSpeed = bytesPerSecond is null;

    public void ReadAtFullSpeed() => _readsAtFullSpeed = true;

    protected override Task<ConnectFailure?> GreetAsync(StompConnection connection) =>
        connection.SubscribeAsync(_subscribe, (frame, stamp) => Take(connection, frame, stamp));

    protected override void Arrived(StompConnection connection)
    {
        // Nothing to do: the server sends kept messages by itself.
    }

    protected override void Lost(string? why)
    {
        lock (guard)
            log.Fail(new ConnectFailure(Cause.ServerClosed, why ?? "a subscriber lost its connection"));
    }

    protected override void Take(StompConnection connection, StompFrame frame, long stamp)
    {
        lock (guard)
            log.Take(frame, stamp);
        if (frame.Command == StompCommand.Message && frame.TryGet(StompNames.Ack, out var id))
            connection.TrySend(StompMessages.Ack(id));
    }

    protected override async ValueTask<bool> ReceiveAsync(StompConnection connection)
    {
        if (_readsAtFullSpeed)
            return await connection.ReceiveAsync();
        await WaitAsync(TimeSpan.FromSeconds(1.0 / ReadsPerSecond)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return await connection.ReceiveAsync(_readsAtFullSpeed ? int.MaxValue : Math.Max(1, bytesPerSecond!.Value / ReadsPerSecond));
    }
}
