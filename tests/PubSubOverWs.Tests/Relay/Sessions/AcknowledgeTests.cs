using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.Relay.Sessions;

public sealed class AcknowledgeTests
{
    [Fact]
    public async Task With_auto_a_message_is_settled_once_its_frame_was_flushed()
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/queue/a");
        client.ServerTransport.Stall();
        var delivery = FakeDelivery.To("/queue/a", "body");

        Assert.Equal(DeliverOutcome.Taken, server.Subscriptions.Deliver(delivery));
        await client.ServerTransport.WriteWaits.Patiently();
        Assert.Empty(delivery.Ends);
        client.ServerTransport.Resume();

        await delivery.Ended;
        Assert.Equal(["settled"], delivery.Ends);
        Assert.Null((await client.ReceiveMessageAsync("body")).Header("ack"));
    }

    [Theory]
    [InlineData("1.2")]
    [InlineData("1.1")]
    [InlineData("1.0")]
    public async Task With_client_an_acknowledgement_is_about_all_earlier_messages_too(string version)
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.ConnectAsync(version);
        await client.SubscribeAsync("/queue/a", "1", "ack:client");
        var (deliveries, messages) = await DeliverAsync(server, client, 4);

        await client.AckAsync(messages[2]);

        Assert.Equal(["settled", "settled", "settled", ""], deliveries.Select(Ends));
    }

    [Fact]
    public async Task With_client_a_nack_gives_all_earlier_messages_back_too_and_counts_for_the_one_that_it_names()
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/queue/a", "ack:client");
        var (deliveries, messages) = await DeliverAsync(server, client, 4);

        await client.AckAsync(messages[0]);
        await client.NackAsync(messages[2]);

        Assert.Equal(["settled", "Nack", "Nack", ""], deliveries.Select(Ends));
        Assert.Equal([0, 0, 1, 0], deliveries.Select(delivery => delivery.Deliveries));
    }

    [Fact]
    public async Task Of_a_connection_that_breaks_the_oldest_message_that_was_written_and_is_unsettled_counts()
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/queue/a", "ack:client-individual");
        var (deliveries, messages) = await DeliverAsync(server, client, 4);
        await client.AckAsync(messages[0]);

        client.ServerTransport.Dispose();
        await client.SessionEnded;

        Assert.Equal(["settled", "Closed", "Closed", "Closed"], deliveries.Select(Ends));
        Assert.Equal([0, 1, 0, 0], deliveries.Select(delivery => delivery.Deliveries));
    }

    [Theory]
    [InlineData("auto")]
    [InlineData("client")]
    [InlineData("client-individual")]
    public async Task Messages_that_were_never_written_do_not_count(string ack)
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/queue/a", $"ack:{ack}");
        client.ServerTransport.Stall();
        var first = FakeDelivery.To("/queue/a", "first");
        server.Subscriptions.Deliver(first);
        await client.ServerTransport.WriteWaits.Patiently();
        var second = FakeDelivery.To("/queue/a", "second");
        server.Subscriptions.Deliver(second);

        client.ServerTransport.Dispose();
        await client.SessionEnded;

        Assert.Equal(("Closed", "Closed"), (Ends(first), Ends(second)));
        // A part of the first may have come, and may be what broke the client.
        Assert.Equal((1, 0), (first.Deliveries, second.Deliveries));
    }

    [Theory]
    [InlineData("1.2")]
    [InlineData("1.1")]
    public async Task With_client_individual_an_answer_is_about_one_message(string version)
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.ConnectAsync(version);
        await client.SubscribeAsync("/queue/a", "1", "ack:client-individual");
        var (deliveries, messages) = await DeliverAsync(server, client, 4);

        await client.AckAsync(messages[2]);
        await client.NackAsync(messages[1]);

        Assert.Equal(["", "Nack", "settled", ""], deliveries.Select(Ends));
    }

    [Fact]
    public async Task A_subscription_is_answered_for_itself_alone()
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/queue/a", "ack:client");
        var (first, _) = await DeliverAsync(server, client, 2);
        await client.SubscribeAsync("/queue/b", "2", "ack:client");
        var second = FakeDelivery.To("/queue/b", "b");
        server.Subscriptions.Deliver(second);

        await client.AckAsync(await client.ReceiveMessageAsync("b"));

        Assert.Equal(["settled"], second.Ends);
        Assert.Equal(["", ""], first.Select(Ends));
    }

    [Fact]
    public async Task An_answer_to_a_settled_message_is_ignored_and_counted()
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/queue/a", "ack:client-individual");
        var (deliveries, messages) = await DeliverAsync(server, client, 2);

        await client.AckAsync(messages[0]);
        await client.AckAsync(messages[0]);
        await client.NackAsync(messages[0]);
        await client.UnsubscribeAsync("1");
        await client.AckAsync(messages[1]);

        Assert.Equal(["settled", "Closed"], deliveries.Select(Ends));
        // UNSUBSCRIBE blames none.
        Assert.Equal(0, deliveries[1].Deliveries);
        Assert.Equal(3, server.Meter.Messages.LateAcks);
    }

    [Theory]
    [InlineData("1-2")]
    [InlineData("2-1")]
    [InlineData("1-0")]
    [InlineData("1-01")]
    [InlineData("1-+1")]
    [InlineData("1-1-1")]
    [InlineData("1-99999999999999999999")]
    [InlineData("1")]
    [InlineData("")]
    public async Task An_answer_to_a_message_that_this_connection_never_got_is_refused(string counts)
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/queue/a", "ack:client");
        var (deliveries, messages) = await DeliverAsync(server, client, 1);
        var id = messages[0].Header("ack")![..^"1-1".Length] + counts;

        await client.SendAsync($"ACK\nid:{id}\n\n\0");

        Assert.Contains($"'{id}'", (await client.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
        Assert.Equal(["Closed"], deliveries[0].Ends);
    }

    [Fact]
    public async Task An_answer_to_a_message_that_needs_none_is_ignored_and_counted()
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/queue/a");
        var (_, messages) = await DeliverAsync(server, client, 1);

        await client.AskAsync($"ACK\nid:{messages[0].Header("message-id")}\n");

        Assert.Equal(1, server.Meter.Messages.LateAcks);
    }

    [Fact]
    public async Task No_more_messages_are_unacknowledged_than_the_prefetch_count()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.SubscriberAsync("/queue/a", "ack:client-individual", "prefetch-count:2");
        var (_, messages) = await DeliverAsync(server, client, 2);
        broker.ForgetRooms();

        Assert.Equal(DeliverOutcome.NoRoom, server.Subscriptions.Deliver(FakeDelivery.To("/queue/a", "third")));
        await client.AckAsync(messages[1]);

        Assert.Equal("/queue/a", await broker.NextRoomAsync());
        Assert.Equal(DeliverOutcome.Taken, server.Subscriptions.Deliver(FakeDelivery.To("/queue/a", "third")));
        await client.ReceiveMessageAsync("third");
    }

    [Theory]
    [InlineData(3, 100)]
    [InlineData(100, 3, "prefetch-count:2147483647")]
    public async Task The_default_of_the_prefetch_and_its_maximum_are_settings(int byDefault, int max, params string[] headers)
    {
        await using var server = FakeBroker.Serve(out _, options => (options.PrefetchCount, options.MaxPrefetch) = (byDefault, max));
        var client = await server.SubscriberAsync("/queue/a", ["ack:client", .. headers]);
        await DeliverAsync(server, client, 3);

        Assert.Equal(DeliverOutcome.NoRoom, server.Subscriptions.Deliver(FakeDelivery.To("/queue/a", "fourth")));
    }

    [Fact]
    public async Task On_a_topic_an_acknowledgement_only_makes_room()
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/topic/a", "ack:client", "prefetch-count:1");
        var delivery = FakeDelivery.To("/topic/a", "body");

        server.Subscriptions.Deliver(delivery);
        Assert.Equal(["settled"], delivery.Ends);
        var message = await client.ReceiveMessageAsync("body");
        Assert.Equal(DeliverOutcome.Taken, server.Subscriptions.Deliver(FakeDelivery.To("/topic/a", "second")));
        await client.ExpectNothingAsync();
        await client.SendAsync($"NACK\nid:{message.Header("ack")}\n\n\0");

        await client.ReceiveMessageAsync("second");
        await client.LeaveAsync();
        Assert.Equal(["settled"], delivery.Ends);
    }

    private static string Ends(FakeDelivery delivery) => string.Join(',', delivery.Ends);

    private static async Task<(FakeDelivery[] Deliveries, PlainFrame[] Messages)> DeliverAsync(
        RelayHarness server, StompTestClient client, int count)
    {
        var deliveries = Enumerable.Range(1, count).Select(i => FakeDelivery.To("/queue/a", $"{i}")).ToArray();
        var messages = new PlainFrame[count];
        Assert.All(deliveries, delivery => Assert.Equal(DeliverOutcome.Taken, server.Subscriptions.Deliver(delivery)));
        for (var i = 0; i < count; i++)
            messages[i] = await client.ReceiveMessageAsync($"{i + 1}");
        return (deliveries, messages);
    }
}
