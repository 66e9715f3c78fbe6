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
    /// <param name="publishing">Where its publisher connects.</param>
    /// <param name="subscribing">Where its subscriber connects.</param>
    /// <param name="isSlow">Its subscriber reads slowly.</param>
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
