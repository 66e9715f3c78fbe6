using Microsoft.Extensions.Logging.Abstractions;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class RenewalTests : IAsyncLifetime, IDisposable
{
    private static readonly TimeSpan Visibility = TimeSpan.FromSeconds(30);

    private readonly FakeTime _time = new();
    private readonly QueueMeter _meter = new();
    private readonly FakeSqs _sqs;
    private readonly Leases _leases;
    private readonly Dispatcher _dispatcher;
    private QueueUrls _urls = null!;
    private Renewal _renewal = null!;

    public RenewalTests()
    {
        _sqs = new FakeSqs(_time);
        _leases = new Leases(_time, Visibility, maxInFlight: 100);
        _dispatcher = new Dispatcher(
            _ => DeliverOutcome.NoSubscriber, new FakePeers(), _leases, new FakeSettlement(), new SqsBrokerOptions(), _meter, new RelayMeter(), _time, NullLogger.Instance);
    }

    public async Task InitializeAsync()
    {
        _urls = await QueueUrls.OpenAsync(_sqs, "q", CancellationToken.None);
        _renewal = new Renewal(_sqs, _urls, _leases, _dispatcher, _meter, Visibility, _time);
    }

    public Task DisposeAsync() => Task.CompletedTask;

    public void Dispose() => _dispatcher.Dispose();

    [Fact]
    public async Task What_is_held_is_renewed_at_a_third_of_its_visibility_for_as_long_as_it_is_held()
    {
        await HoldAsync(12);
        for (var third = 1; third <= 6; third++)
        {
            _time.Advance(Visibility / 3);
            await _renewal.RenewDueAsync();
            Assert.Equal(12 * third, _sqs.Changes.Count);
            Assert.Equal(0, _sqs.Visible("q"));
        }
        Assert.Equal(12, _sqs.Traffic.Calls(SqsCall.ChangeVisibility));
        Assert.All(_sqs.Changes, change => Assert.Equal(Visibility, change.Visibility));
    }

    [Fact]
    public async Task Nothing_is_renewed_before_it_is_due()
    {
        await HoldAsync(1);
        _time.Advance(Visibility / 3 - TimeSpan.FromMilliseconds(1));
        await _renewal.RenewDueAsync();
        Assert.Empty(_sqs.Changes);
    }

    [Fact]
    public async Task A_lease_that_the_queue_took_back_is_dropped_and_counted()
    {
        await HoldAsync(1);
        _time.Advance(Visibility);
        await ReceiveAsync();
        await _renewal.RenewDueAsync();
        Assert.Equal(0, _leases.Count);
        Assert.Equal(1, _meter.Read(_urls, [_sqs.Traffic], [_leases], nodes: 1).StaleReceipts);
    }

    [Fact]
    public async Task While_the_queue_is_away_nothing_is_given_up()
    {
        await HoldAsync(1);
        _sqs.Fault = _ => FakeSqs.Away;
        _time.Advance(Visibility / 3);
        await _renewal.RenewDueAsync();
        _sqs.Fault = _ => null;
        _time.Advance(Visibility / 3);
        await _renewal.RenewDueAsync();
        Assert.Equal((1, 1), (_leases.Count, _sqs.Changes.Count));
    }

    [Fact]
    public async Task It_looks_by_itself_until_it_is_stopped()
    {
        await HoldAsync(1);
        using var stopping = new CancellationTokenSource();
        var running = _renewal.RunAsync(stopping.Token);
        _time.Advance(Visibility / 3);
        while (_sqs.Changes.Count == 0)
            await Task.Yield();
        await stopping.CancelAsync();
        await running;
    }

    private async Task HoldAsync(int count)
    {
        for (var i = 0; i < count; i++)
            await _sqs.SendMessageBatchAsync(_urls.Url, [new SendEntry(Sample.Envelope(Sample.Message($"m{i}")))], CancellationToken.None);
        for (var received = 0; received < count; received += 10)
            _dispatcher.Accept(await ReceiveAsync());
    }

    private async Task<IReadOnlyList<ReceivedMessage>> ReceiveAsync() =>
        await _sqs.ReceiveMessagesAsync(_urls.Url, new ReceiveRequest { Visibility = Visibility }, CancellationToken.None);
}
