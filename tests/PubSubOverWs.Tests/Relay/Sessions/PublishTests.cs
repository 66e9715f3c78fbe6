using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.Relay.Sessions;

public sealed class PublishTests
{
    [Fact]
    public async Task A_message_carries_the_headers_that_the_sender_added_and_no_protocol_headers_of_the_send()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.ConnectAsync();
        await client.SubscribeAsync("/queue/a", "mine");

        await client.SendAsync(
            "SEND\ndestination:/queue/a\nid:app-1\ncontent-type:text/plain\ncolour:blue\\cgreen\ncolour:red\nempty:\n"
            + "message-id:x\nsubscription:x\nack:x\nredelivered:x\nreceipt:r\ncontent-length:4\n\nbody\0");

        var message = await client.ReceiveAsync(StompCommand.Message);
        Assert.Equal(
            [
                ("destination", "/queue/a"), ("message-id", message.Header("message-id")!), ("subscription", "mine"), ("id", "app-1"),
                ("content-type", "text/plain"), ("colour", "blue:green"), ("empty", ""), ("content-length", "4"),
            ],
            message.Headers);
        Assert.Equal("body", message.Body);
        Assert.Equal("taken", await client.ReceiveReceiptAsync("r"));
    }

    [Fact]
    public async Task A_message_without_an_id_gets_one_of_its_own()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.ConnectAsync();
        await client.SubscribeAsync("/queue/a", "1");
        HashSet<string?> ids = [];

        for (var i = 0; i < 3; i++)
        {
            await client.PublishAsync("/queue/a", "body");
            ids.Add((await client.ReceiveAsync(StompCommand.Message)).Header("id"));
        }

        Assert.Equal(3, ids.Count);
        Assert.DoesNotContain(null, ids);
    }

    [Fact]
    public async Task Frames_have_message_ids_of_their_own_also_in_copies_of_one_message()
    {
        await using var server = RelayHarness.Direct();
        var clients = new[] { await server.ConnectAsync(), await server.ConnectAsync() };
        foreach (var client in clients)
        {
            await client.SubscribeAsync("/topic/a", "1");
            await client.SubscribeAsync("/topic/a", "2");
        }

        await clients[0].PublishAsync("/topic/a", "body", "id:same");

        List<PlainFrame> copies = [];
        foreach (var client in clients)
            copies.AddRange([await client.ReceiveMessageAsync("body"), await client.ReceiveMessageAsync("body")]);
        Assert.Equal(4, copies.Select(copy => copy.Header("message-id")).Distinct().Count());
        Assert.All(copies, copy => Assert.Equal("same", copy.Header("id")));
    }

    [Theory]
    [InlineData(PublishOutcome.Taken, "taken")]
    [InlineData(PublishOutcome.NoSubscriber, "no-subscriber")]
    [InlineData(PublishOutcome.Shed, "shed")]
    public async Task A_receipt_comes_with_the_outcome_and_not_before(PublishOutcome outcome, string told)
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();

        await client.PublishAsync("/queue/a", "body", "receipt:mine");
        var publish = await broker.NextPublishAsync();
        await client.ExpectNothingAsync();
        publish.Take(outcome);

        Assert.Equal(told, await client.ReceiveReceiptAsync("mine"));
    }

    [Fact]
    public async Task Receipts_come_in_the_order_of_the_outcomes()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        await client.PublishAsync("/queue/a", "1", "receipt:1");
        await client.PublishAsync("/queue/a", "2", "receipt:2");
        var (first, second) = (await broker.NextPublishAsync(), await broker.NextPublishAsync());

        second.Take();
        await client.ReceiveReceiptAsync("2");
        first.Take();
        await client.ReceiveReceiptAsync("1");
    }

    [Fact]
    public async Task A_refusal_is_an_error_with_the_receipt_and_a_close()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();

        await client.PublishAsync("/queue/a", "body", "receipt:mine");
        (await broker.NextPublishAsync()).Refuse("The queue is away: try again later.");

        var error = await client.ReceiveErrorAsync();
        Assert.Equal("mine", error.Header("receipt-id"));
        Assert.Equal("The queue is away: try again later.", error.Header("message"));
    }

    [Fact]
    public async Task Many_refusals_are_one_error()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        client.ServerTransport.Stall();
        for (var i = 0; i < 3; i++)
            await client.PublishAsync("/queue/a", "body", $"receipt:{i}");

        // All of them first: the first refusal ends the session.
        FakePublish[] publishes = [await broker.NextPublishAsync(), await broker.NextPublishAsync(), await broker.NextPublishAsync()];
        foreach (var publish in publishes)
            publish.Refuse("The queue is away.");
        client.ServerTransport.Resume();

        await client.ReceiveErrorAsync();
    }

    [Fact]
    public async Task A_broker_that_fails_in_a_way_it_must_not_costs_the_connection_and_a_log_line()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();

        await client.PublishAsync("/queue/a", "body", "receipt:mine");
        (await broker.NextPublishAsync()).Fail(new InvalidOperationException("A bug."));

        await client.SessionEnded;
        Assert.Contains("A bug.", Assert.Single(server.Log.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Messages_in_and_out_are_counted()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.ConnectAsync();
        await client.SubscribeAsync("/topic/a", "1");
        await client.SubscribeAsync("/topic/a", "2");

        await client.PublishAsync("/topic/a", "body");
        await client.ReceiveMessageAsync("body");
        await client.ReceiveMessageAsync("body");
        await client.LeaveAsync();

        Assert.Equal(new MessageStats(In: 1, Out: 2, LateAcks: 0), server.Meter.Messages);
    }
}
