using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class OwedAnswersTests
{
    private const int Burst = 500;
    private static readonly string s_long = new('r', 1_000);

    [Fact]
    public async Task A_client_that_is_owed_a_burst_of_receipts_gets_them_though_slow_ones_have_filled_all_outboxes()
    {
        await using var server = RelayHarness.Direct(options => options.OutboxBytesTotal = 1 << 22);
        for (var i = 0; i < 4; i++)
            await FillAsync(server, $"/queue/slow-{i}");
        var healthy = await server.ConnectAsync();
        await Waiting.UntilAsync(() => server.IdleOutboxes == 1);

        // For a moment it does not read.
        healthy.ServerTransport.Stall();
        await SendBurstAsync(healthy);
        await healthy.ServerTransport.WriteWaits.Patiently();
        healthy.ServerTransport.Resume();

        for (var i = 0; i < Burst; i++)
            Assert.Equal("no-subscriber", await healthy.ReceiveReceiptAsync($"{i}-{s_long}"));
        await healthy.ExpectNothingAsync();
    }

    [Fact]
    public async Task A_client_that_does_not_read_answers_is_not_read_and_is_owed_a_bounded_number()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.ConnectAsync();
        await server.RestAsync();
        client.ServerTransport.Stall();

        await SendBurstAsync(client);
        await Waiting.UntilAsync(() => server.AnswersOwed > Outbox.MostAnswers);
        server.Advance(TimeSpan.FromSeconds(1));
        Assert.InRange(server.AnswersOwed, Outbox.MostAnswers, Outbox.MostAnswers + 1_200);

        client.ServerTransport.Resume();
        for (var i = 0; i < Burst; i++)
            await client.ReceiveAsync(StompCommand.Receipt);
    }

    private static async Task SendBurstAsync(StompTestClient client)
    {
        for (var i = 0; i < Burst; i++)
            await client.PublishAsync("/queue/nobody", "x", $"receipt:{i}-{s_long}");
    }

    private static async Task FillAsync(RelayHarness server, string destination)
    {
        var slow = await server.ConnectAsync();
        await slow.SubscribeAsync(destination, "1");
        slow.ServerTransport.Stall();
        while (await server.Broker.PublishAsync([FakeDelivery.To(destination, new string('x', 30_000)).Message]) == PublishOutcome.Taken)
        {
        }
    }
}
