using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Sessions;

public sealed class TransactionTests
{
    [Fact]
    public async Task Messages_of_a_transaction_are_published_together_at_commit_and_their_receipts_come_then_in_order()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        await client.AskAsync("BEGIN\ntransaction:t\n");
        await client.PublishAsync("/queue/a", "1", "transaction:t", "receipt:1");
        await client.PublishAsync("/topic/b", "2", "transaction:t", "receipt:2");
        await client.PublishAsync("/queue/c", "at once");
        Assert.Equal("/queue/c", (await broker.NextPublishAsync()).Message.Destination);

        await client.SendAsync("COMMIT\ntransaction:t\nreceipt:3\n\n\0");
        var publish = await broker.NextPublishAsync();
        await client.ExpectNothingAsync();
        publish.Take();

        Assert.Equal(["/queue/a", "/topic/b"], publish.Messages.Select(message => message.Destination));
        foreach (var receipt in new[] { "1", "2", "3" })
            Assert.Equal("taken", await client.ReceiveReceiptAsync(receipt));
    }

    [Fact]
    public async Task Abort_drops_the_messages_and_answers_of_the_transaction()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var (client, delivery) = await AcknowledgingAsync(server);
        await client.PublishAsync("/queue/a", "1", "transaction:t", "receipt:send");
        await client.SendAsync("ABORT\ntransaction:t\nreceipt:abort\n\n\0");
        Assert.Null(await client.ReceiveReceiptAsync("send"));
        Assert.Null(await client.ReceiveReceiptAsync("abort"));
        await client.PublishAsync("/queue/a", "2");

        Assert.Equal("2", (await broker.NextPublishAsync()).Body);
        Assert.Empty(delivery.Ends);
    }

    [Fact]
    public async Task Answers_within_a_transaction_count_from_commit_on()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.SubscriberAsync("/queue/a", "ack:client-individual");
        var (first, second) = (FakeDelivery.To("/queue/a", "1"), FakeDelivery.To("/queue/a", "2"));
        server.Subscriptions.Deliver(first);
        server.Subscriptions.Deliver(second);
        var messages = new[] { await client.ReceiveMessageAsync("1"), await client.ReceiveMessageAsync("2") };

        await client.AskAsync("BEGIN\ntransaction:t\n");
        await client.SendAsync($"ACK\nid:{messages[0].Header("ack")}\ntransaction:t\n\n\0");
        await client.SendAsync($"NACK\nid:{messages[1].Header("ack")}\ntransaction:t\n\n\0");
        await client.PublishAsync("/queue/b", "body", "transaction:t");
        await client.ExpectNothingAsync();
        Assert.Empty(first.Ends);
        await client.SendAsync("COMMIT\ntransaction:t\nreceipt:done\n\n\0");
        var publish = await broker.NextPublishAsync();
        Assert.Empty(first.Ends);
        publish.Take();

        await client.ReceiveReceiptAsync("done");
        Assert.Equal(["settled"], first.Ends);
        Assert.Equal(["Nack"], second.Ends);
    }

    [Fact]
    public async Task An_answer_that_is_committed_after_its_subscription_ended_is_late()
    {
        await using var server = FakeBroker.Serve(out _);
        var (client, delivery) = await AcknowledgingAsync(server);
        await client.UnsubscribeAsync("1");
        await client.AskAsync("COMMIT\ntransaction:t\n");

        Assert.Equal(["Closed"], delivery.Ends);
        Assert.Equal(1, server.Meter.Messages.LateAcks);
    }

    [Fact]
    public async Task A_client_that_leaves_behind_its_commit_has_acknowledged()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var (client, delivery) = await AcknowledgingAsync(server);
        await client.PublishAsync("/queue/b", "answer", "transaction:t");
        await client.SendAsync("COMMIT\ntransaction:t\n\n\0DISCONNECT\nreceipt:gone\n\n\0");
        var publish = await broker.NextPublishAsync();
        Assert.Empty(delivery.Ends);
        publish.Take();

        await client.ReceiveReceiptAsync("gone");
        Assert.Equal(["settled"], delivery.Ends);
    }

    [Fact]
    public async Task A_refused_transaction_is_an_error_with_the_receipt_of_commit()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var (client, delivery) = await AcknowledgingAsync(server);
        await client.PublishAsync("/queue/a", "1", "transaction:t", "receipt:send");
        await client.SendAsync("COMMIT\ntransaction:t\nreceipt:commit\n\n\0");
        (await broker.NextPublishAsync()).Refuse("Too large: commit smaller ones.");

        Assert.Equal("commit", (await client.ReceiveErrorAsync()).Header("receipt-id"));
        Assert.Equal(["Closed"], delivery.Ends);
    }

    [Fact]
    public async Task An_open_transaction_ends_with_its_connection()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        await client.AskAsync("BEGIN\ntransaction:t\n");
        await client.PublishAsync("/queue/a", "dropped", "transaction:t");
        await client.AskAsync("DISCONNECT\n");
        await client.ReceiveCloseAsync();
        await client.SessionEnded;

        var other = await server.ConnectAsync();
        await other.PublishAsync("/queue/a", "next");

        Assert.Equal("next", (await broker.NextPublishAsync()).Body);
    }

    [Fact]
    public async Task Transactions_are_bounded_in_number_frames_and_bytes()
    {
        await using var server = FakeBroker.Serve(out _, options =>
            (options.MaxTransactions, options.MaxTransactionFrames, options.MaxMessageBytes) = (2, 3, Transaction.MaxBytes / 2));
        var (number, frames, bytes) = (await server.ConnectAsync(), await server.ConnectAsync(), await server.ConnectAsync());

        for (var i = 0; i < 3; i++)
            await number.SendAsync($"BEGIN\ntransaction:{i}\n\n\0");
        await frames.AskAsync("BEGIN\ntransaction:t\n");
        for (var i = 0; i < 4; i++)
            await frames.PublishAsync("/queue/a", "x", "transaction:t");
        await bytes.AskAsync("BEGIN\ntransaction:t\n");
        for (var i = 0; i < 3; i++)
            await bytes.PublishAsync("/queue/a", new string('x', (Transaction.MaxBytes / 2) - 100), "transaction:t"); // Its id takes some.

        Assert.Contains("Relay:MaxTransactions", (await number.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
        Assert.Contains("Relay:MaxTransactionFrames", (await frames.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
        Assert.Contains($"{Transaction.MaxBytes} bytes", (await bytes.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
    }

    // A client that has a message and, in a transaction that it has not committed, acknowledged it.
    private static async Task<(StompTestClient Client, FakeDelivery Delivery)> AcknowledgingAsync(RelayHarness server)
    {
        var client = await server.SubscriberAsync("/queue/a", "ack:client");
        var delivery = FakeDelivery.To("/queue/a", "1");
        server.Subscriptions.Deliver(delivery);
        var message = await client.ReceiveMessageAsync("1");
        await client.AskAsync("BEGIN\ntransaction:t\n");
        await client.SendAsync($"ACK\nid:{message.Header("ack")}\ntransaction:t\n\n\0");
        return (client, delivery);
    }
}
