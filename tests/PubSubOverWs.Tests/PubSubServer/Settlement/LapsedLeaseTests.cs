using PubSubOverWs.PubSubServer;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.LocalSqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// Messages that a server holds, and that the queue may have handed to another while this one stood still: they wait until the queue renews
/// their lease. Over LocalSqs.
/// </summary>
public sealed class LapsedLeaseTests : IAsyncLifetime
{
    private readonly LocalSqsHost _queues = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly FakeSubscribers _subscribers = new();
    private readonly SqsBrokerOptions _options = new() { Settle = { Linger = TimeSpan.Zero } };
    private QueueUrls _urls = null!;
    private Leases _leases = null!;
    private Dispatcher _dispatcher = null!;
    private Renewal _renewal = null!;

    public async Task InitializeAsync()
    {
        await _queues.InitializeAsync();
        _urls = await QueueUrls.OpenAsync(_queues.Sqs, "q", CancellationToken.None);
        _leases = new Leases(_queues.Time, _options.VisibilityTimeout, _options.MaxInFlight);
        var flow = Sample.Flow(Sample.Server(_queues.Time, _options, sqs: _queues.Sqs), _leases, _urls, _stopping.Token);
        _dispatcher = new Dispatcher(flow, new Settler(flow), _subscribers.Deliver);
        _renewal = new Renewal(flow, _dispatcher);
        await _queues.Sqs.SendMessageBatchAsync(
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
}
