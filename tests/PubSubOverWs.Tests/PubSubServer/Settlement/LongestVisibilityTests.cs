using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.LocalSqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>Messages that stay with a server for longer than the 12 h for which a queue hides them.</summary>
public sealed class LongestVisibilityTests : IAsyncLifetime
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan Visibility = 3 * Hour;

    private readonly LocalSqsHost _queues = new();
    private readonly FakeSettlement _settlement = new();

    public Task InitializeAsync() => _queues.InitializeAsync();

    public Task DisposeAsync() => _queues.DisposeAsync();

    [Fact]
    public async Task A_held_message_goes_back_to_the_queue_before_it_could_not_be_renewed()
    {
        var (renewal, dispatcher) = await ReceiveAsync(DeliverOutcome.NoSubscriber);
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
        var (renewal, dispatcher) = await ReceiveAsync(DeliverOutcome.Taken);
        using var _ = dispatcher;

        await RenewEachHourAsync(renewal, 11);
        _queues.Time.Advance(TimeSpan.FromMinutes(58));
        Assert.Empty(await _queues.ReceiveAsync());
        _queues.Time.Advance(TimeSpan.FromMinutes(1));

        Assert.Single(await _queues.ReceiveAsync());
        Assert.Empty(_settlement.Decided);
    }

    /// <summary>A server has received one message, and its subscribers were offered it.</summary>
    private async Task<(Renewal Renewal, Dispatcher Dispatcher)> ReceiveAsync(DeliverOutcome outcome)
    {
        var options = new SqsBrokerOptions { VisibilityTimeout = Visibility };
        var leases = new Leases(_queues.Time, Visibility, maxInFlight: 10);
        var flow = Sample.Flow(
            Sample.Server(_queues.Time, options, sqs: _queues.Sqs), leases, new QueueUrls("jobs", _queues.Url, "dead", "parked"));
        var dispatcher = new Dispatcher(flow, _settlement, _ => outcome);
        await _queues.Sqs.SendMessageBatchAsync(
            _queues.Url, [new SendEntry(Sample.Envelope(Sample.Message("m")))], CancellationToken.None);
        dispatcher.Accept(await _queues.ReceiveAsync(visibility: Visibility));
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
