using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class QueueServerTests : IAsyncLifetime
{
    private readonly FakeTime _time = new();
    private readonly FakeSqs _sqs;
    private readonly FakeSubscribers _subscribers = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly CancellationTokenSource _connectionsClosed = new();
    private QueueServer _server = null!;
    private Task _running = null!;

    public QueueServerTests() => _sqs = new FakeSqs(_time);

    public async Task InitializeAsync()
    {
        _server = await Sample.OpenAsync(
            _sqs, new QueueBrokerOptions { Name = "q", PollLoops = 2, Settle = { Linger = TimeSpan.Zero } }, _subscribers.Deliver, _time);
        _running = _server.RunAsync(_stopping.Token, _connectionsClosed.Token);
    }

    public Task DisposeAsync()
    {
        _server.Dispose();
        _stopping.Dispose();
        _connectionsClosed.Dispose();
        return Task.CompletedTask;
    }

    [Fact]
    public async Task A_message_goes_through_the_queue_to_its_subscriber_and_is_deleted()
    {
        _subscribers.Subscribe("/queue/a");
        await PublishAsync(Sample.Message("m"));
        (await TakenAsync(1))[0].OnSettled();
        await Waiting.UntilAsync(() => _sqs.Bodies("q").Count == 0);
        await StopAsync();
        var stats = _server.Stats;
        Assert.Equal((1, 1, 1, 0), (stats.Sent, stats.Received, stats.Deleted, stats.Released));
        Assert.Equal((0, 0), (stats.Held, stats.HeldBytes));
        Assert.Equal("q", stats.Name);
        Assert.Equal(1, stats.Calls["send"]);
        Assert.Equal(100, stats.BytesOut["delete"]);
    }

    [Fact]
    public async Task A_receive_under_way_is_not_cut_off_by_stopping_and_its_messages_are_visible_again()
    {
        await Waiting.UntilAsync(() => _sqs.PollsUnderWay("q") == 2);
        await _stopping.CancelAsync();
        await _connectionsClosed.CancelAsync();
        Assert.Equal(2, _sqs.PollsUnderWay("q"));
        Assert.False(_running.IsCompleted);
        await _sqs.PutAsync("q", Sample.Envelope(Sample.Message("late")));
        await _running;
        // What one poll brings and gives back, the other one may bring again.
        Assert.InRange(_server.Stats.Received, 1, 2);
        Assert.Equal(1, _sqs.Visible("q"));
        Assert.Equal(2, _sqs.Traffic.Calls(QueueCall.Receive));
    }

    [Fact]
    public async Task Messages_that_are_held_or_come_back_go_to_the_next_server_before_the_polls_time_out()
    {
        _subscribers.Subscribe("/queue/b");
        await PublishAsync(Sample.Message("out", "/queue/b"));
        var taken = await TakenAsync(1);
        await PublishAsync(Sample.Message("held"));
        await Waiting.UntilAsync(() => _server.Stats.Held == 2 && _sqs.PollsUnderWay("q") == 2);
        await _stopping.CancelAsync();
        await Waiting.UntilAsync(() => _sqs.Visible("q") == 1);
        taken[0].OnGivenBack(GiveBackReason.Closed);
        await Waiting.UntilAsync(() => _sqs.Visible("q") == 2);
        Assert.Equal(2, _sqs.PollsUnderWay("q"));
        await StopAsync();
    }

    [Fact]
    public async Task Stopping_waits_for_publishes_under_way()
    {
        var gate = _sqs.HoldSends();
        var publish = PublishAsync(Sample.Message("m"));
        var stop = StopAsync();
        Assert.False(stop.IsCompleted);
        gate.SetResult();
        await publish;
        await stop;
        Assert.Equal(1, _server.Stats.Sent);
    }

    [Fact]
    public async Task Acknowledged_messages_are_still_deleted_until_the_connections_are_closed()
    {
        _subscribers.Subscribe("/queue/a");
        await PublishAsync(Sample.Message("m"));
        var taken = await TakenAsync(1);
        await _stopping.CancelAsync();
        _sqs.EndPolls();
        taken[0].OnSettled();
        await StopAsync();
        Assert.Equal((1, 0), (_server.Stats.Deleted, _server.Stats.Released));
    }

    [Fact]
    public async Task A_poll_that_fails_is_made_again_after_a_pause()
    {
        await Waiting.UntilAsync(() => _sqs.PollsUnderWay("q") == 2);
        _sqs.Fault = call => call == QueueCall.Receive ? FakeSqs.Away : null;
        _sqs.EndPolls();
        // Both have failed, and wait before they ask again; the other three renew, and compare what is parked.
        await Waiting.UntilAsync(() => _sqs.Traffic.Calls(QueueCall.Receive) == 4 && _time.TimersSet == 5);
        _sqs.Fault = _ => null;
        _time.Advance(TimeSpan.FromSeconds(1));
        await Waiting.UntilAsync(() => _sqs.PollsUnderWay("q") == 2);
        await StopAsync();
    }

    [Fact]
    public async Task A_receive_that_takes_the_last_memory_waits_for_a_second_only_and_the_next_has_its_turn()
    {
        var time = new FakeTime();
        var sqs = new FakeSqs(time).With("q");
        // Three receives fit into it.
        var options = new QueueBrokerOptions { PollLoops = 4, MaxInFlightBytes = 64 << 20 };
        var leases = new Leases(time, options.VisibilityTimeout, options.MaxInFlight, new InFlightBudget(options.MaxInFlightBytes));
        var flow = Sample.Flow(Sample.Server(time, options, sqs: sqs), leases);
        using var dispatcher = new Dispatcher(flow, new FakeSettlement(), _ => DeliverOutcome.NoSubscriber);
        using var stopping = new CancellationTokenSource();
        var polling = new QueuePoller(flow, dispatcher).RunAsync(stopping.Token);

        Assert.Equal([15, 15, 1], sqs.WaitTimes.Select(wait => wait.TotalSeconds));
        sqs.EndPolls();
        await Waiting.UntilAsync(() => sqs.WaitTimes.Count >= 6);
        Assert.Contains(1, sqs.WaitTimes.Skip(3).Select(wait => wait.TotalSeconds));
        await stopping.CancelAsync();
        await polling.WhileAsync(() => sqs.EndPolls());
    }

    private Task<PublishOutcome> PublishAsync(params Message[] messages) => _server.Publisher.PublishAsync(messages).AsTask();

    private async Task<IReadOnlyList<Delivery>> TakenAsync(int count)
    {
        await Waiting.UntilAsync(() => _subscribers.Took.Count == count);
        return _subscribers.Took;
    }

    private async Task StopAsync()
    {
        await _stopping.CancelAsync();
        await _connectionsClosed.CancelAsync();
        await Waiting.UntilAsync(() => _sqs.EndPolls() && _running.IsCompleted);
        await _running;
    }
}
