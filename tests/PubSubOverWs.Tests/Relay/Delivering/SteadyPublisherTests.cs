using PubSubOverWs.DirectServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Delivering;

/// <summary>A publisher whose next frame is always there already, beside subscribers that read all the time.</summary>
public sealed class SteadyPublisherTests
{
    private const int Messages = 500;

    [Theory]
    [InlineData(20, 4 << 20, 10)] // Frames would fill the outbox.
    [InlineData(1_000, 64 * 1024, 1_000)] // Bytes would.
    public async Task A_steady_publisher_never_fills_the_outbox_of_a_subscriber_that_reads(int outboxFrames, int outboxBytes, int bodyBytes)
    {
        using var allSent = new ManualResetEventSlim();
        await using var server = new RelayHarness(
            harness => new HeldUpBroker(new DirectBroker(harness.Subscriptions, harness.Meter), allSent),
            options => (options.OutboxFrames, options.OutboxBytes) = (outboxFrames, outboxBytes));
        var (publisher, subscriber) = (await server.ConnectAsync(), await server.ConnectAsync());
        await subscriber.SubscribeAsync("/queue/a", "1");
        await server.RestAsync();

        for (var i = 0; i < Messages; i++)
            await publisher.PublishAsync("/queue/a", $"{i}".PadRight(bodyBytes));
        allSent.Set();

        for (var i = 0; i < Messages; i++)
            await subscriber.ReceiveMessageAsync($"{i}".PadRight(bodyBytes));
        Assert.Equal(0, server.Meter.Drops["shed"]);
    }

    /// <summary>Holds the publisher's thread at its first message until all are there to be read.</summary>
    private sealed class HeldUpBroker(IBroker broker, ManualResetEventSlim allSent) : IBroker
    {
        public string Name => broker.Name;
        public bool Keeps => broker.Keeps;
        public QueueStats? Queue => broker.Queue;

        public ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages)
        {
            allSent.Wait(TimeSpan.FromSeconds(30), CancellationToken.None);
            return broker.PublishAsync(messages);
        }

        public void RoomAt(string destination) => broker.RoomAt(destination);
    }
}
