using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.LocalSqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// Messages that a server holds, and that the queue may have handed to another while this one stood still: they wait until the queue renews
/// their lease; and messages that stay with a server for longer than the 12 h for which a queue hides them. Over LocalSqs.
/// </summary>
public sealed class LapsedLeaseTests : IAsyncLifetime
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan Longest = 3 * Hour;

    private readonly LocalSqsHost _queues = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly FakeSubscribers _subscribers = new();
    private readonly FakeSettlement _settlement = new();
    private readonly QueueBrokerOptions _options = new() { Settle = { Linger = TimeSpan.Zero } };
    private QueueUrls _urls = null!;
    private Leases _leases = null!;
    private Dispatcher _dispatcher = null!;
    private Renewal _renewal = null!;

    public async Task InitializeAsync()
    {
        await _queues.InitializeAsync();
        _urls = await WorkQueues.OpenAsync(_queues.Sqs, "q", CancellationToken.None);
        _leases = new Leases(_queues.Time, _options.VisibilityTimeout, _options.MaxInFlight);
        var flow = Sample.Flow(Sample.Server(_queues.Time, _options, sqs: _queues.Sqs), _leases, _urls, _stopping.Token);
        _dispatcher = new Dispatcher(flow, new Settler(flow), _subscribers.Deliver);
        _renewal = new Renewal(flow, _dispatcher);
        await _queues.Sqs.SendAsync(
            _urls.Url, [new SendEntry(Sample.Envelope(Sample.Message("m")))], CancellationToken.None);
    }

    public async Task DisposeAsync()
    {
        await _stopping.CancelAsync();
        _dispatcher.Dispose();
        _stopping.Dispose();
        await _queues.DisposeAsync();
    }

    [Fact]
    public async Task A_message_that_another_received_while_this_server_stood_still_is_not_delivered_here()
    {
        _dispatcher.Accept(await ReceiveAsync(_options.VisibilityTimeout));
        _queues.Time.Leap(_options.VisibilityTimeout + TimeSpan.FromSeconds(1));
        Assert.Single(await ReceiveAsync(_options.VisibilityTimeout));

        SubscriberComes();
        Assert.Empty(_subscribers.Took);
        await RenewAsync();
        Assert.Empty(_subscribers.Took);
        Assert.Equal(0, _leases.Count);
    }

    [Fact]
    public async Task A_message_that_is_still_this_servers_is_delivered_once_the_queue_said_so()
    {
        _dispatcher.Accept(await ReceiveAsync(2 * _options.VisibilityTimeout));
        _queues.Time.Leap(_options.VisibilityTimeout + TimeSpan.FromSeconds(1));

        SubscriberComes();
        Assert.Empty(_subscribers.Took);
        await RenewAsync();
        Assert.Equal(["m"], _subscribers.TookIds);
    }

    [Fact]
    public async Task A_held_message_goes_back_to_the_queue_before_it_could_not_be_renewed()
    {
        var (renewal, dispatcher) = await HoldAsync(DeliverOutcome.NoSubscriber);
        using var _ = dispatcher;

        await RenewEachHourAsync(renewal, 8);
        Assert.Empty(_settlement.Decided);
        await RenewEachHourAsync(renewal, 1);

        Assert.EndsWith(" 0", Assert.Single(_settlement.Decided), StringComparison.Ordinal);
        Assert.StartsWith("release ", _settlement.Decided[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_message_with_a_subscriber_stays_hidden_until_the_twelve_hours_are_nearly_over()
    {
        var (renewal, dispatcher) = await HoldAsync(DeliverOutcome.Taken);
        using var _ = dispatcher;

        await RenewEachHourAsync(renewal, 11);
        _queues.Time.Advance(TimeSpan.FromMinutes(58));
        Assert.Empty(await _queues.ReceiveAsync());
        _queues.Time.Advance(TimeSpan.FromMinutes(1));

        Assert.Single(await _queues.ReceiveAsync());
        Assert.Empty(_settlement.Decided);
    }

    private Task<IReadOnlyList<ReceivedMessage>> ReceiveAsync(TimeSpan visibility) =>
        _queues.ReceiveAsync(visibility: visibility, from: _urls.Url);

    private void SubscriberComes()
    {
        _subscribers.Subscribe("/queue/a");
        _dispatcher.RoomAt("/queue/a");
        _dispatcher.OfferPending();
    }

    private async Task RenewAsync()
    {
        _renewal.RenewDue();
        await _renewal.IdleAsync().Patiently();
        _dispatcher.OfferPending();
    }

    /// <summary>A server has received one message, and its subscribers were offered it.</summary>
    private async Task<(Renewal Renewal, Dispatcher Dispatcher)> HoldAsync(DeliverOutcome outcome)
    {
        var options = new QueueBrokerOptions { VisibilityTimeout = Longest };
        var leases = new Leases(_queues.Time, Longest, maxInFlight: 10);
        var flow = Sample.Flow(
            Sample.Server(_queues.Time, options, sqs: _queues.Sqs), leases, new QueueUrls("jobs", _queues.Url, "dead", "parked"));
        var dispatcher = new Dispatcher(flow, _settlement, _ => outcome);
        await _queues.Sqs.SendAsync(
            _queues.Url, [new SendEntry(Sample.Envelope(Sample.Message("m")))], CancellationToken.None);
        dispatcher.Accept(await _queues.ReceiveAsync(visibility: Longest));
        return (new Renewal(flow, dispatcher), dispatcher);
    }

    private async Task RenewEachHourAsync(Renewal renewal, int hours)
    {
        for (var hour = 0; hour < hours; hour++)
        {
            _queues.Time.Advance(Hour);
            renewal.RenewDue();
            await renewal.IdleAsync();
        }
    }
}
