using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.WhichQueue.Load;

/// <summary>A publisher and a subscriber of one queue destination, which reconnect.</summary>
internal sealed class QueuePair : IParticipant
{
    private readonly Lock _guard = new();
    private readonly ClientLog _log;
    private readonly Publisher _publisher;
    private readonly QueueSubscriber _subscriber;
    private readonly bool _comesLater;
    private TimeProvider _time = TimeProvider.System;

    /// <param name="index">From 0.</param>
    /// <param name="name">Of the trial.</param>
    /// <param name="waiting">Told when it has all its messages, or has given up.</param>
    /// <param name="comesLater">The subscriber comes when <see cref="SubscribeAsync"/> is called.</param>
    public QueuePair(
        int index, string name, int messages, WhichQueueScenario scenario, long seed, ClientTarget target, Countdown waiting,
        bool comesLater)
    {
        Index = index;
        _comesLater = comesLater;
        var prefix = Invariant($"{name}-{index}-");
        var destination = Invariant($"/queue/{name}-{index}");
        // Its messages come to the subscriber, which does the waiting.
        _log = new ClientLog(
            Enumerable.Range(0, messages).Select(sequence => prefix + sequence.ToString(CultureInfo.InvariantCulture)),
            new Countdown(int.MaxValue));
        byte[][] sends = [.. Enumerable.Range(0, messages).Select(sequence => StompMessages.Send(
            destination, _log.Messages[sequence].Id, Payload.Write(scenario.PayloadBytes, _log.Messages[sequence].Id, index, sequence),
            sequence.ToString(CultureInfo.InvariantCulture)))];
        _publisher = new Publisher(
            [target], BackoffOf(2 * index), LoadBounds.DefaultConnectTimeout, Publisher.DefaultUnanswered, _log, sends, _guard);
        _subscriber = new QueueSubscriber(target, BackoffOf((2 * index) + 1), destination, prefix, messages, waiting);

        Backoff BackoffOf(int client) => new(Draws.For(seed, 0, client), TimeSpan.Zero);
    }

    public int Index { get; }

    /// <summary>In the order in which they are due.</summary>
    public IReadOnlyList<OwnMessage> Messages => _log.Messages;

    public int Republished => _publisher.Republished;

    public Anomalies Anomalies => _subscriber.Anomalies;

    /// <summary>Messages of which a copy came.</summary>
    public int Arrived => _subscriber.Count;

    public bool IsIn { get; private set; }

    /// <summary>It has left, or was told to.</summary>
    public bool IsGone { get; private set; }

    public ConnectFailure? Failure => _log.Failure ?? _subscriber.Failure;

    public IEnumerable<ConnectFailure?> Failures =>
        _log.Messages.Select(message => message.Refusal).Append(_log.Failure).Append(_subscriber.Failure);

    /// <summary>Every message was taken, or refused for good.</summary>
    public bool IsAnswered
    {
        get
        {
            lock (_guard)
                return _log.Messages.All(message => message.ReceiptAt is not null);
        }
    }

    /// <summary>A stamp of <see cref="System.Diagnostics.Stopwatch"/>; null: none came.</summary>
    public long? ArrivedAt(int sequence) => _subscriber.ArrivedAt(sequence);

    public async Task EnterAsync(TimeProvider time)
    {
        _time = time;
        var failure = (_comesLater ? null : await _subscriber.EnterAsync(time)) ?? await _publisher.EnterAsync(time);
        IsIn = failure is null;
        if (failure is null)
            return;
        Abort();
        lock (_guard)
            _log.Fail(failure);
        GiveUp();
    }

    /// <summary>Its next message is due.</summary>
    public void Send()
    {
        if (IsIn)
            _publisher.BecomesDue();
    }

    public async Task SubscribeAsync()
    {
        if (await _subscriber.EnterAsync(_time) is not { } failure)
            return;
        lock (_guard)
            _log.Fail(failure);
        GiveUp();
    }

    /// <summary>There is nothing more to wait for.</summary>
    public void GiveUp() => _subscriber.GiveUp();

    /// <summary>The publisher leaves first: by reconnecting it could publish to a queue whose drain is about to be proven.</summary>
    public async Task StopSendingAsync()
    {
        if (!IsIn)
            return;
        await _publisher.StopAsync();
        await _publisher.EndAsync();
    }

    public void Leave()
    {
        IsGone = true;
        _publisher.Leave();
        _subscriber.Leave();
    }

    public Task EndAsync() => Task.WhenAll(_publisher.EndAsync(), _subscriber.EndAsync());

    public void Abort()
    {
        IsGone = true;
        _publisher.Abort();
        _subscriber.Abort();
    }

    public void Dispose()
    {
        _publisher.Dispose();
        _subscriber.Dispose();
    }
}
