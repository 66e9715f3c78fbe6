using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Relay.Transport;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class SlowClientTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(null)]
    [InlineData(SlowConsumer.Disconnect)]
    public async Task Messages_without_room_are_shed_and_counted_and_a_slow_client_is_told_why_if_it_is_to_be_disconnected(
        SlowConsumer? slow)
    {
        await using var server = RelayHarness.Direct(
            options => (options.OutboxFrames, options.SlowConsumer) = (2, slow ?? options.SlowConsumer));
        var client = await SubscriberThatStallsAsync(server);

        Assert.Equal([PublishOutcome.Taken, PublishOutcome.Taken, PublishOutcome.Shed], await PublishAsync(server, 3));

        client.ServerTransport.Resume();
        await client.ReceiveMessageAsync("0");
        await client.ReceiveMessageAsync("1");
        if (slow is not null)
            Assert.StartsWith("You read too slowly: ", (await client.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
        Assert.Equal((1, slow is null ? 0 : 1), (server.Meter.Drops["shed"], server.Meter.Connections.Slow));
    }

    [Fact]
    public async Task A_slow_client_that_is_just_sending_gets_its_waiting_messages_and_an_error_too()
    {
        await using var server = RelayHarness.Direct(
            options => (options.OutboxFrames, options.SlowConsumer) = (2, SlowConsumer.Disconnect));
        var client = await SubscriberThatStallsAsync(server);

        await client.SendAsync(string.Concat(Enumerable.Range(0, 3).Select(i => $"SEND\ndestination:/queue/a\n\n{i}\0")));
        // Its session is at the end: it was the one that acted when there was no room.
        await Waiting.UntilAsync(() => !server.Subscriptions.HasAny("/queue/a"));
        client.ServerTransport.Resume();

        await client.ReceiveMessageAsync("0");
        await client.ReceiveMessageAsync("1");
        Assert.StartsWith("You read too slowly: ", (await client.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
        Assert.Equal((1, 0), (server.Meter.Drops["shed"], server.Meter.Drops["closed"]));
    }

    [Fact]
    public async Task A_client_that_takes_nothing_for_too_long_is_closed_and_its_waiting_messages_are_given_back()
    {
        await using var server = RelayHarness.Direct(options => options.SlowConsumerTimeout = TimeSpan.FromSeconds(5));
        var client = await SubscriberThatStallsAsync(server);
        await PublishAsync(server, 1);
        await server.StallNotedAsync();
        await PublishAsync(server, 2);

        server.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(0, server.Meter.Connections.Slow);
        server.Advance(TimeSpan.FromSeconds(1));
        // The first is on its way, and may still come.
        Assert.Equal((2, 1, 0), (server.Meter.Drops["closed"], server.Meter.Connections.Slow, server.Meter.Connections.Cut));

        server.Advance(server.Options.CloseTimeout + SessionClock.Period);
        await client.SessionEnded;
        Assert.Equal((3, 1), (server.Meter.Drops["closed"], server.Meter.Connections.Cut));
    }

    [Fact]
    public async Task A_client_that_reads_again_before_it_is_cut_gets_all_that_was_settled_and_an_error_that_says_why()
    {
        await using var server = RelayHarness.Direct(options => options.SlowConsumerTimeout = TimeSpan.FromSeconds(5));
        var client = await SubscriberThatStallsAsync(server);
        await PublishAsync(server, 1);
        await server.StallNotedAsync();
        await PublishAsync(server, 2);
        server.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal(2, server.Meter.Drops["closed"]);

        client.ServerTransport.Resume();

        await client.ReceiveMessageAsync("0");
        Assert.StartsWith(
            "This connection made no write progress for 5 s while messages waited (Relay:SlowConsumerTimeout): ",
            (await client.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
        Assert.Equal((2, 1, 0), (server.Meter.Drops["closed"], server.Meter.Messages.Out, server.Meter.Connections.Cut));
    }

    [Fact]
    public async Task When_all_outboxes_together_are_full_a_broker_is_told_once_another_connection_makes_room()
    {
        await using var server = FakeBroker.Serve(out var broker, options => options.OutboxBytesTotal = 400 << 10);
        var stalled = await SubscriberThatStallsAsync(server);
        var other = await server.SubscriberAsync("/queue/b");
        // Three bytes a character, for its id has the body: of such one fits, and no second.
        var large = new string('x', 64_000);
        while (server.Subscriptions.Deliver(FakeDelivery.To("/queue/a", large)) == DeliverOutcome.Taken)
        {
        }
        Assert.Equal(DeliverOutcome.Taken, server.Subscriptions.Deliver(FakeDelivery.To("/queue/b", "small")));
        await other.ReceiveMessageAsync("small");
        await WhenDrainedAsync(server, other);
        Assert.Equal(DeliverOutcome.NoRoom, server.Subscriptions.Deliver(FakeDelivery.To("/queue/b", large)));

        stalled.ServerTransport.Dispose();
        await stalled.SessionEnded;
        await server.RestAsync();
        broker.ForgetRooms();
        server.Advance(SessionClock.Period);

        Assert.Equal("/queue/b", await broker.NextRoomAsync());
        Assert.Equal(DeliverOutcome.Taken, server.Subscriptions.Deliver(FakeDelivery.To("/queue/b", large)));
    }

    [Fact]
    public async Task An_idle_connection_is_closed_with_an_error_and_heart_beats_keep_it()
    {
        await using var server =
            RelayHarness.Direct(options => (options.IdleTimeout, options.HeartBeat) = (TimeSpan.FromSeconds(3), TimeSpan.FromSeconds(1)));
        var (idle, beating) = (await server.ConnectAsync(), await server.ConnectAsync(heartBeat: "0,1000"));

        for (var second = 1; second <= 4; second++)
        {
            await server.RestAsync(); // What still waits stands for a heart-beat.
            server.Advance(TimeSpan.FromSeconds(1));
            await beating.ReceiveHeartBeatAsync();
        }

        Assert.StartsWith(
            "Nothing was sent or received here for 3 s", (await idle.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_connection_is_idle_from_the_end_of_its_last_write_on_however_long_that_took()
    {
        await using var server = RelayHarness.Direct(options => options.IdleTimeout = TimeSpan.FromSeconds(3));
        var client = await SubscriberThatStallsAsync(server);
        await PublishAsync(server, 1);
        await server.StallNotedAsync();
        server.Advance(TimeSpan.FromSeconds(2));
        client.ServerTransport.Resume();
        await client.ReceiveMessageAsync("0");
        await server.RestAsync();

        server.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal([PublishOutcome.Taken], await PublishAsync(server, 1));
        await client.ReceiveMessageAsync("0");
    }

    [Fact]
    public async Task An_idle_raw_client_is_closed_with_1008_and_one_that_sends_is_not()
    {
        await using var server = RelayHarness.Direct(options => options.IdleTimeout = TimeSpan.FromSeconds(3));
        var (idle, busy) = (server.OpenRaw(), server.OpenRaw());

        for (var second = 1; second <= 4; second++)
        {
            await busy.SendTextAsync("here");
            await busy.ReceiveMessageAsync();
            await server.RestAsync();
            server.Advance(TimeSpan.FromSeconds(1));
        }

        var (status, reason) = await idle.ReceiveCloseAsync(isNext: true);
        Assert.Equal(WebSocketCloseStatus.PolicyViolation, status);
        Assert.StartsWith("Nothing was sent or received here for 3 s", reason, StringComparison.Ordinal);
        await busy.SendTextAsync("still here");
        Assert.Equal("still here"u8.ToArray(), (await busy.ReceiveMessageAsync()).Bytes);
    }

    [Fact]
    public async Task A_raw_client_whose_message_is_shed_is_closed_with_1008()
    {
        await using var server = RelayHarness.Direct(options => options.OutboxFrames = 2);
        var client = server.OpenRaw();
        client.ServerTransport.Stall();
        await client.SendTextAsync("0");
        // Whether this one still counts as waiting or not: of four more not all find room.
        await client.ServerTransport.WriteWaits.Patiently();
        for (var i = 1; i <= 4; i++)
            await client.SendTextAsync($"{i}");
        await Waiting.UntilAsync(() => server.Meter.Drops["shed"] > 0);

        client.ServerTransport.Resume();

        Assert.Equal("0"u8.ToArray(), (await client.ReceiveMessageAsync()).Bytes);
        var (status, reason) = await client.ReceiveCloseAsync();
        Assert.Equal(
            (WebSocketCloseStatus.PolicyViolation,
                "A message found no room and is lost: receive as fast as you send, or speak STOMP, whose receipts say so."),
            (status, reason));
        Assert.Equal(1, server.Meter.Drops["shed"]);
    }

    [Fact]
    public async Task A_client_that_takes_nothing_while_the_server_stands_still_has_its_time_after_that()
    {
        await using var server = RelayHarness.Direct(options => options.SlowConsumerTimeout = 5 * Second);
        var client = await server.SubscriberAsync("/queue/a");
        await server.RestAsync();
        client.ServerTransport.Stall();
        await server.Broker.PublishAsync([FakeDelivery.To("/queue/a", "waits").Message]);
        await server.StallNotedAsync();

        server.Pause(10 * Second);
        server.Advance(4 * Second);
        Assert.Equal(0, server.Meter.Connections.Slow);
        server.Advance(Second);

        Assert.Equal(1, server.Meter.Connections.Slow);
    }

    [Fact]
    public async Task A_connection_is_not_idle_while_the_server_stands_still()
    {
        await using var server = RelayHarness.Direct(options => options.IdleTimeout = 3 * Second);
        var client = await server.ConnectAsync();
        await server.RestAsync();

        server.Pause(10 * Second);
        server.Advance(2 * Second);

        await client.ExpectNothingAsync();
    }

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task A_client_that_reads_steadily_stays_while_a_write_takes_longer_than_the_time_out_and_one_that_stops_is_ended(
        FrontEnd frontEnd)
    {
        await using var server = RelayHarness.Direct(options => options.SlowConsumerTimeout = 5 * Second);
        await using var pair = await SocketPair.ConnectAsync(mostOnItsWay: 16 * 1024);
        var (serving, wire) = await SubscriberAsync(server, pair, frontEnd);
        await server.Broker.PublishAsync([FakeDelivery.To("/queue/a", new string('x', 1_000_000)).Message]);
        await server.StallNotedAsync();

        for (var i = 0; i < 5; i++)
        {
            await TakesMoreAsync(pair, wire);
            server.Advance(4 * Second);
            Assert.Equal(0, server.Meter.Connections.Slow);
        }

        await Waiting.UntilAsync(() => server.Meter.Connections.Slow == 1, between: () => server.Advance(SessionClock.Period));
        await pair.DisposeAsync();
        await serving.Patiently();
    }

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task A_ping_is_waited_for_while_it_is_behind_what_the_client_takes_from_the_systems_buffers(FrontEnd frontEnd)
    {
        await using var server = RelayHarness.Direct(
            options => (options.KeepAlive, options.KeepAliveTimeout) = (10 * Second, 4 * Second));
        await using var pair = await SocketPair.ConnectAsync(mostOnItsWay: 256 * 1024);
        var (serving, wire) = await SubscriberAsync(server, pair, frontEnd);
        await server.Broker.PublishAsync([FakeDelivery.To("/queue/a", new string('x', 100_000)).Message]);
        await server.RestAsync();
        server.Advance(10 * Second + SessionClock.Period);
        await server.RestAsync();

        for (var i = 0; i < 5; i++)
        {
            await TakesMoreAsync(pair, wire);
            server.Advance(3 * Second);
            Assert.False(serving.IsCompleted);
        }

        await serving.WhileAsync(() => server.Advance(SessionClock.Period));
    }

    // Its own outbox would tell of room when it has drained.
    private static async Task WhenDrainedAsync(RelayHarness server, StompTestClient client)
    {
        await client.ExpectNothingAsync();
        await Waiting.UntilAsync(() => server.IdleOutboxes > 0);
    }

    private static async Task<StompTestClient> SubscriberThatStallsAsync(RelayHarness server)
    {
        var client = await server.SubscriberAsync("/queue/a");
        await server.RestAsync();
        client.ServerTransport.Stall();
        return client;
    }

    private static async Task<PublishOutcome[]> PublishAsync(RelayHarness server, int count)
    {
        var outcomes = new PublishOutcome[count];
        for (var i = 0; i < count; i++)
            outcomes[i] = await server.Broker.PublishAsync([FakeDelivery.To("/queue/a", $"{i}").Message]);
        return outcomes;
    }

    private static async Task<(Task Serving, IWire Wire)> SubscriberAsync(RelayHarness server, SocketPair pair, FrontEnd frontEnd)
    {
        var (socket, wire) = pair.Open(frontEnd);
        var serving = server.ServeAsync(socket, wire, pair.Server);
        await ExchangeAsync(pair, "CONNECT\naccept-version:1.2\nhost:test\n\n\0", "CONNECTED");
        await ExchangeAsync(pair, "SUBSCRIBE\ndestination:/queue/a\nid:1\nreceipt:1\n\n\0", "RECEIPT");
        await server.RestAsync();
        return (serving, wire);
    }

    private static async Task ExchangeAsync(SocketPair pair, string frame, string answer)
    {
        await pair.Client.SendAsync(ClientFrames.Write(Opcodes.Text, Encoding.ASCII.GetBytes(frame), mask: 0));
        var came = new byte[1024];
        Assert.Contains(answer, Encoding.ASCII.GetString(came, 0, await pair.Client.ReceiveAsync(came)), StringComparison.Ordinal);
    }

    // Its system says so when it has room for much more only.
    private static Task TakesMoreAsync(SocketPair pair, IWire wire)
    {
        var (taken, piece) = (wire.Taken, new byte[1024]);
        return Waiting.UntilAsync(() => wire.Taken > taken, between: () => pair.Client.Receive(piece, SocketFlags.None));
    }
}
