using Microsoft.Extensions.Logging.Abstractions;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>A server on one queue, whose consumers stay away for as long as the queue keeps messages.</summary>
public sealed class AbsenceTests : IAsyncLifetime
{
    private const int Held = 10;
    private const int Published = 60;

    private static readonly TimeSpan Step = TimeSpan.FromSeconds(30);

    private readonly FakeTime _time = new();
    private readonly FakeSqs _sqs;
    private readonly FakeSubscribers _subscribers = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly CancellationTokenSource _connectionsClosed = new();
    private SqsFlow _flow = null!;
    private Task _running = null!;

    public AbsenceTests() => _sqs = new FakeSqs(_time);

    public async Task InitializeAsync()
    {
        var urls = await QueueUrls.OpenAsync(_sqs, "q", CancellationToken.None);
        _flow = new SqsFlow(
            _sqs, urls, new SqsBrokerOptions { PollLoops = 2, HeldMessages = Held, Settle = { Linger = TimeSpan.Zero } }, Deliver, new RelayMeter(), _time,
            NullLogger.Instance);
        _running = _flow.RunAsync(_stopping.Token, _connectionsClosed.Token);
    }

    public async Task DisposeAsync()
    {
        await _stopping.CancelAsync();
        await _connectionsClosed.CancelAsync();
        await Until(() => EndPolls() && _running.IsCompleted);
        await _running;
        _flow.Dispose();
        _stopping.Dispose();
        _connectionsClosed.Dispose();
    }

    [Fact]
    public async Task A_backlog_whose_consumer_is_away_for_a_day_is_neither_dead_lettered_nor_in_flight_nor_received_again()
    {
        for (var i = 0; i < Published; i++)
            await PublishAsync(Sample.Message($"m{i}"));
        await SettleDownAsync();
        Assert.InRange(_sqs.InFlight("q"), 0, Held);
        var (received, sent) = (_flow.Stats.Received, _flow.Stats.Sent);

        for (var passed = TimeSpan.Zero; passed < TimeSpan.FromHours(24); passed += Step)
        {
            _time.Advance(Step);
            await SettleDownAsync();
        }
        Assert.Empty(_sqs.Bodies("q-dead"));
        Assert.InRange(_sqs.InFlight("q"), 0, Held);
        // What is held is received again when its lease has reached the 12 h of SQS; nothing else is.
        Assert.Equal(sent, _flow.Stats.Sent);
        Assert.InRange(_flow.Stats.Received - received, 0, 3 * Held);

        Subscribe("/queue/a");
        _flow.RoomAt("/queue/a");
        await Until(() => EndPolls() && Taken() == Published);
    }

    private bool EndPolls()
    {
        _sqs.EndPolls();
        return true;
    }

    private int Taken()
    {
        lock (_subscribers)
            return _subscribers.TookIds.Distinct().Count();
    }

    // Nothing can be received, and both loops of the queue ask for more.
    private Task SettleDownAsync() => Until(() => EndPolls() && _sqs.Visible("q") == 0 && _sqs.PollsUnderWay == 2);

    private DeliverOutcome Deliver(Delivery delivery)
    {
        lock (_subscribers)
            return _subscribers.Deliver(delivery);
    }

    private void Subscribe(string destination, int room = int.MaxValue)
    {
        lock (_subscribers)
            _subscribers.Subscribe(destination, room);
    }

    private Task<PublishOutcome> PublishAsync(params Message[] messages) => _flow.Publisher.PublishAsync(messages).AsTask();

    private static async Task Until(Func<bool> condition)
    {
        while (!condition())
            await Task.Yield();
    }
}
