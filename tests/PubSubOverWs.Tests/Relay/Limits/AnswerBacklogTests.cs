using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class AnswerBacklogTests
{
    private const int Burst = 500;

    // Of one transaction, with that of COMMIT.
    private const int Receipts = 400;
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
        await Waiting.UntilAsync(() => server.AnswersOwed > Outbox.MaxAnswers);
        server.Advance(TimeSpan.FromSeconds(1));
        Assert.InRange(server.AnswersOwed, Outbox.MaxAnswers, Outbox.MaxAnswers + 1_200);

        client.ServerTransport.Resume();
        for (var i = 0; i < Burst; i++)
            await client.ReceiveAsync(StompCommand.Receipt);
    }

    [Fact]
    public async Task Receipts_of_transactions_that_a_client_does_not_read_leave_others_their_room_and_come_in_order()
    {
        const int Transactions = 8;
        await using var server = FakeBroker.Serve(out var broker, options => options.OutboxBytesTotal = 1 << 22);
        var client = await server.ConnectAsync();
        await server.RestAsync();
        client.ServerTransport.Stall();
        for (var i = 0; i < Transactions; i++)
            await SendTransactionAsync(client, i);
        var publishes = new FakePublish[Transactions];
        for (var i = 0; i < Transactions; i++)
            publishes[i] = await broker.NextPublishAsync();
        await publishes[^1].Followed.Patiently();
        foreach (var publish in publishes)
            await TakeAsync(server, publish);

        // A few are in the outbox, and the rest counts with what the client sent.
        Assert.InRange(server.AnswersOwed, Outbox.MaxAnswers, Outbox.MaxAnswers + 1_200);
        Assert.InRange(server.OutboxTaken, 1, 2 * Outbox.MaxAnswers);
        Assert.InRange(server.SentTaken, ((Transactions * Receipts) - 50) * 1_250, Transactions * Receipts * 1_350);

        client.ServerTransport.Resume();
        for (var i = 0; i < Transactions; i++)
            await ReceiveReceiptsAsync(client, i);
        await client.ExpectNothingAsync();
        await server.RestAsync();
        Assert.Equal((0, 0), (server.OutboxTaken, server.SentTaken));
    }

    [Fact]
    public async Task An_error_comes_behind_the_receipts_that_wait()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        await server.RestAsync();
        client.ServerTransport.Stall();
        await SendTransactionAsync(client, 0);
        await client.PublishAsync("/queue/a", "x", "receipt:refused");
        var (committed, refused) = (await broker.NextPublishAsync(), await broker.NextPublishAsync());
        await TakeAsync(server, committed);

        refused.Refuse("No.");

        client.ServerTransport.Resume();
        await ReceiveReceiptsAsync(client, 0);
        Assert.Equal("refused", (await client.ReceiveErrorAsync()).Header("receipt-id"));
    }

    [Fact]
    public async Task Receipts_that_wait_are_forgotten_with_a_client_that_is_gone()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        await server.RestAsync();
        client.ServerTransport.Stall();
        await SendTransactionAsync(client, 0);
        await TakeAsync(server, await broker.NextPublishAsync());
        Assert.NotEqual(0, server.SentTaken);

        client.ServerTransport.Break();

        await client.SessionEnded;
        Assert.Equal((0, 0), (server.OutboxTaken, server.SentTaken));
    }

    // Until its receipts are queued, its messages count as well.
    private static async Task TakeAsync(RelayHarness server, FakePublish publish)
    {
        await publish.Followed.Patiently();
        var sent = server.SentTaken;
        publish.Take();
        await Waiting.UntilAsync(() => server.SentTaken < sent);
    }

    private static async Task SendTransactionAsync(StompTestClient client, int number)
    {
        await client.SendAsync("BEGIN\ntransaction:t\n\n\0");
        for (var i = 1; i < Receipts; i++)
            await client.PublishAsync("/queue/nobody", "x", "transaction:t", $"receipt:{number}-{i}-{s_long}");
        await client.SendAsync($"COMMIT\ntransaction:t\nreceipt:{number}-{Receipts}-{s_long}\n\n\0");
    }

    private static async Task ReceiveReceiptsAsync(StompTestClient client, int number)
    {
        for (var i = 1; i <= Receipts; i++)
            Assert.Equal("taken", await client.ReceiveReceiptAsync($"{number}-{i}-{s_long}"));
    }

    private static async Task SendBurstAsync(StompTestClient client)
    {
        for (var i = 0; i < Burst; i++)
            await client.PublishAsync("/queue/nobody", "x", $"receipt:{i}-{s_long}");
    }

    private static async Task FillAsync(RelayHarness server, string destination)
    {
        var slow = await server.SubscriberAsync(destination);
        slow.ServerTransport.Stall();
        while (await server.Broker.PublishAsync([FakeDelivery.To(destination, new string('x', 30_000)).Message]) == PublishOutcome.Taken)
        {
        }
    }
}
