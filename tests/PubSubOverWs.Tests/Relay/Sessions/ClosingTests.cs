using System.Net.WebSockets;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Hosting;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Sessions;

public sealed class ClosingTests
{
    private const string Connect = "CONNECT\naccept-version:1.2\nhost:test\n\n\0";
    private const string Disconnect = "DISCONNECT\nreceipt:bye\n\n\0";

    [Fact]
    public async Task The_receipt_of_disconnect_comes_after_the_outcome_of_every_send()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        await client.PublishAsync("/queue/a", "1", "receipt:1");
        await client.PublishAsync("/queue/a", "2");
        await client.SendAsync("DISCONNECT\nreceipt:bye\n\n\0");

        var (first, second) = (await broker.NextPublishAsync(), await broker.NextPublishAsync());
        second.Take();
        first.Take();

        await client.ReceiveReceiptAsync("1");
        await client.ReceiveReceiptAsync("bye");
        Assert.Equal(WebSocketCloseStatus.NormalClosure, (await client.ReceiveCloseAsync()).Status);
        await client.SessionEnded;
    }

    [Fact]
    public async Task A_slow_queue_does_not_cost_a_disconnecting_client_its_receipt()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        await client.PublishAsync("/queue/a", "1");
        var publish = await broker.NextPublishAsync();
        await client.SendAsync("DISCONNECT\nreceipt:bye\n\n\0");

        server.Advance(2 * server.Options.CloseTimeout);
        publish.Take();

        await client.ReceiveReceiptAsync("bye");
    }

    [Fact]
    public async Task A_refusal_after_disconnect_is_an_error_and_no_receipt()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        await client.PublishAsync("/queue/a", "1", "receipt:1");
        await client.SendAsync("DISCONNECT\nreceipt:bye\n\n\0");

        (await broker.NextPublishAsync()).Refuse("The queue is away.");

        Assert.Equal("1", (await client.ReceiveAsync(StompCommand.Error)).Header("receipt-id"));
        await client.ReceiveCloseAsync();
    }

    [Fact]
    public async Task Frames_after_disconnect_are_not_processed()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();

        await client.SendAsync("DISCONNECT\nreceipt:bye\n\n\0SEND\ndestination:/queue/a\n\ntoo late\0");
        await client.ReceiveReceiptAsync("bye");
        await client.ReceiveCloseAsync();
        await client.SessionEnded;
        var other = await server.ConnectAsync();
        await other.PublishAsync("/queue/a", "next");

        Assert.Equal("next", (await broker.NextPublishAsync()).Body);
    }

    [Fact]
    public async Task A_client_that_goes_on_sending_after_the_close_is_cut_before_all_of_it_is_read()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.ConnectAsync();
        await client.SendAsync("NONSENSE\n\n\0");
        for (var mebibyte = 0; mebibyte < 64; mebibyte++)
            await client.SendAsync(new string('x', 1 << 20));

        await client.ReceiveAsync(StompCommand.Error);
        // The clock stands still.
        await client.SessionEnded;
        Assert.InRange(client.ServerTransport.BytesRead, 16 << 20, 17 << 20);
        Assert.Equal(1, server.Meter.Connections.Cut);
    }

    [Fact]
    public async Task A_message_that_one_subscription_gives_back_does_not_go_to_another_of_the_leaving_client()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.ConnectAsync();
        for (var i = 0; i < 5; i++)
            await client.SubscribeAsync("/queue/a", $"{i}", "ack:client");
        await client.PublishAsync("/queue/a", "body");
        await client.ReceiveMessageAsync("body");

        await client.LeaveAsync();

        Assert.Equal((1, 0), (server.Meter.Drops["closed"], server.Meter.Drops["undeliverable"]));
    }

    [Fact]
    public async Task A_stopping_server_says_1001_after_the_answers_that_it_owes()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var (busy, idle, raw, silent) = (await server.ConnectAsync(), await server.ConnectAsync(), server.OpenRaw(), server.OpenPlain());
        await busy.PublishAsync("/queue/a", "1", "receipt:1");
        var publish = await broker.NextPublishAsync();
        await publish.Followed.Patiently();

        var stopping = server.Shutdown.StoppingAsync(CancellationToken.None);
        foreach (var client in new[] { idle, raw, silent })
            Assert.Equal((WebSocketCloseStatus.EndpointUnavailable, "The server is stopping."), await client.ReceiveCloseAsync());
        publish.Take();
        await busy.ReceiveReceiptAsync("1");
        Assert.Equal(WebSocketCloseStatus.EndpointUnavailable, (await busy.ReceiveCloseAsync()).Status);

        await stopping.Patiently();
    }

    [Fact]
    public async Task A_stopping_server_cuts_clients_that_do_not_leave()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.SubscriberAsync("/queue/a", "ack:client");
        await client.PublishAsync("/queue/a", "body");
        await client.ReceiveMessageAsync("body");

        var stopping = server.Shutdown.StoppingAsync(CancellationToken.None);
        await Assert.ThrowsAnyAsync<Exception>(client.ReceiveAsync);
        server.Advance(server.Options.CloseTimeout + TimeSpan.FromSeconds(1));

        await stopping.Patiently();
        Assert.Equal(1, server.Meter.Drops["closed"]);
    }

    [Fact]
    public async Task A_slow_queue_does_not_cost_the_clients_of_a_stopping_server_their_receipts()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        await client.PublishAsync("/queue/a", "1", "receipt:1");
        var publish = await broker.NextPublishAsync();

        var stopping = server.Shutdown.StoppingAsync(CancellationToken.None);
        server.Advance(2 * server.Options.CloseTimeout);
        publish.Take();

        await client.ReceiveReceiptAsync("1");
        Assert.Equal(WebSocketCloseStatus.EndpointUnavailable, (await client.ReceiveCloseAsync()).Status);
        await stopping.Patiently();
    }

    [Fact]
    public async Task A_queue_that_does_not_answer_keeps_a_stopping_server_for_half_its_time_only()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        await client.PublishAsync("/queue/a", "1", "receipt:1");
        var publish = await broker.NextPublishAsync();

        var stopping = server.Shutdown.StoppingAsync(CancellationToken.None);
        server.Advance(new HostOptions().ShutdownTimeout / 2);

        await Assert.ThrowsAnyAsync<Exception>(client.ReceiveAsync);
        publish.Take();
        await stopping.Patiently();
    }

    [Fact]
    public async Task A_client_that_comes_while_the_server_stops_is_sent_away()
    {
        await using var server = RelayHarness.Direct();
        await server.Shutdown.StoppingAsync(CancellationToken.None);

        var client = server.Open();

        Assert.Equal(WebSocketCloseStatus.EndpointUnavailable, (await client.ReceiveCloseAsync()).Status);
        await client.SessionEnded;
    }

    [Fact]
    public async Task A_client_that_reads_nothing_cannot_keep_its_session_open()
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/queue/a");
        client.ServerTransport.Stall();
        var delivery = FakeDelivery.To("/queue/a", "body");
        server.Subscriptions.Deliver(delivery);
        await client.ServerTransport.WriteWaits.Patiently();
        await client.SendAsync("DISCONNECT\n\n\0");
        await client.CloseAsync();

        await Waiting.UntilAsync(() => delivery.Ends.Any(), between: () => server.Advance(TimeSpan.FromSeconds(1)));

        await client.SessionEnded;
        Assert.Equal(["Closed"], delivery.Ends);
    }

    [Theory]
    [InlineData(typeof(OperationCanceledException))]
    [InlineData(typeof(ObjectDisposedException))]
    [InlineData(typeof(InvalidOperationException))]
    public async Task A_defect_of_the_server_is_logged_with_its_stack_and_the_client_told(Type defect)
    {
        await using var server = FakeBroker.Serve(out var broker);
        broker.OnPublish = _ => Fail(defect);
        var client = await server.ConnectAsync();

        await client.PublishAsync("/queue/a", "1");

        Assert.Equal(WebSocketCloseStatus.InternalServerError, (await client.ReceiveCloseAsync()).Status);
        await client.SessionEnded;
        var error = Assert.Single(server.Log.Errors);
        Assert.Contains(defect.Name, error, StringComparison.Ordinal);
        Assert.Contains($"at {typeof(ClosingTests)}.{nameof(Fail)}", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nothing_follows_an_error()
    {
        await using var server = FakeBroker.Serve(out var broker, options => options.HeartBeat = TimeSpan.FromSeconds(1));
        var client = await server.ConnectAsync(heartBeat: "0,1000");
        await client.SubscribeAsync("/queue/a", "1");
        await client.PublishAsync("/queue/a", "taken late", "receipt:late");
        var publish = await broker.NextPublishAsync();
        await publish.Followed.Patiently();
        client.ServerTransport.Stall();
        await client.SendAsync("NONSENSE\n\n\0SUBSCRIBE\ndestination:/queue/b\nid:2\nreceipt:2\n\n\0");
        await client.ServerTransport.WriteWaits.Patiently();

        // While the ERROR is being written: an answer that is owed, a message, and a heart-beat.
        publish.Take();
        await publish.Told.Patiently();
        Assert.NotEqual(DeliverOutcome.Taken, server.Subscriptions.Deliver(FakeDelivery.To("/queue/a", "message")));
        server.Advance(TimeSpan.FromSeconds(2));
        client.ServerTransport.Resume();

        Assert.Contains("NONSENSE", (await client.ReceiveErrorAsync()).Body, StringComparison.Ordinal);
    }

    // A turn closes 16 that each give a message back.
    [Fact]
    public async Task A_client_that_leaves_with_many_subscriptions_lets_others_have_their_turn()
    {
        await using var server = RelayHarness.Direct();
        var (client, turns) = Turns.Open(server);
        await client.SendAsync(Connect + Subscribes("/queue/", 500) + Sends(500) + Disconnect);

        var largest = await turns.LargestAsync(() => server.Meter.Drops["closed"], 500);

        Assert.InRange(largest, 1, 16);
    }

    [Theory]
    [InlineData("/queue/")]
    [InlineData("/topic/")]
    public async Task A_client_that_leaves_is_off_all_its_destinations_before_others_have_their_turn(string kind)
    {
        await using var server = FakeBroker.Serve(out _);
        var (client, turns) = Turns.Open(server);
        await client.SendAsync(Connect + Subscribes(kind, 100) + Disconnect);
        await turns.UntilAsync(() => server.Subscriptions.HasAny($"{kind}0"));

        await turns.UntilAsync(() => !server.Subscriptions.HasAny($"{kind}0"));

        var (left, outcome) = (server.Subscriptions.Destinations, server.Subscriptions.Deliver(FakeDelivery.To($"{kind}99", "late")));
        turns.LetGo();
        await client.ReceiveCloseAsync();
        Assert.Empty(left);
        Assert.Equal(DeliverOutcome.NoSubscriber, outcome);
    }

    [Fact]
    public async Task A_client_that_answered_the_close_frame_is_not_cut_while_its_subscriptions_are_closed()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var (client, turns) = Turns.Open(server);
        await client.SendAsync(Connect + Subscribes("/queue/", 100));
        await turns.UntilAsync(() => server.Subscriptions.HasAny("/queue/99"));
        server.Subscriptions.EndConnections(name => name == "/queue/99", "Something may be missing.");
        await client.ReceiveAsync(StompCommand.Connected);
        await client.ReceiveAsync(StompCommand.Error);
        await client.ReceiveCloseAsync(isNext: true);
        var closed = 0;
        broker.OnRoom = () => closed++;
        await turns.UntilAsync(() => closed > 0);

        server.Advance(2 * server.Options.CloseTimeout);

        turns.LetGo();
        await client.SessionEnded;
        Assert.Equal(0, server.Meter.Connections.Cut);
    }

    // A method that was inlined is not in the stack.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Fail(Type defect) => throw (Exception)Activator.CreateInstance(defect, "defect")!;

    private static string Subscribes(string kind, int count) => string.Concat(Enumerable.Range(0, count)
        .Select(i => $"SUBSCRIBE\nid:{i}\ndestination:{kind}{i}\nack:client\n\n\0"));

    private static string Sends(int count) => string.Concat(Enumerable.Range(0, count)
        .Select(i => $"SEND\ndestination:/queue/{i}\n\nx\0"));
}
