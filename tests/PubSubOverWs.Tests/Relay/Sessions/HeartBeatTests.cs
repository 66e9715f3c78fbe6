using System.Net.WebSockets;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Sessions;

public sealed class HeartBeatTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(500, 10, 500)]
    [InlineData(500, 700, 700)]
    [InlineData(1_000, 1, 1_000)]
    [InlineData(1_000, 1_625, 1_625)]
    [InlineData(1_000, 65_000, 65_000)]
    public async Task A_heart_beat_is_never_late_also_when_a_ping_is_due_at_the_same_time(int offered, int wanted, int agreed)
    {
        const int framed = 3;
        await using var server = RelayHarness.Direct(options =>
        {
            options.HeartBeat = TimeSpan.FromMilliseconds(offered);
            options.KeepAlive = TimeSpan.FromMilliseconds(agreed) - SessionClock.Period;
            // The client answers on another thread, which the clock here does not wait for.
            options.KeepAliveTimeout = TimeSpan.FromHours(1);
        });
        var client = await server.ConnectAsync(heartBeat: $"0,{wanted}");
        await server.RestAsync();
        // It answers PINGs, of which some are due with a heart-beat.
        var reading = client.ReceiveAsync();
        var (beats, last) = (0, server.Time.GetTimestamp());

        while (beats < 10)
        {
            server.Advance(SessionClock.Period);
            await server.RestAsync();
            var now = server.Time.GetTimestamp();
            Assert.InRange(server.Time.GetElapsedTime(last, now).TotalMilliseconds, 0, agreed);
            var sent = client.ServerTransport.Writes.Count(size => size == framed);
            (beats, last) = sent > beats ? (sent, now) : (beats, last);
        }

        client.ServerTransport.Dispose();
        await Assert.ThrowsAnyAsync<Exception>(() => reading);
    }

    [Theory]
    [InlineData("0,2147483647")]
    [InlineData("2147483647,0")]
    [InlineData("2147483647,2147483647")]
    public async Task The_longest_interval_is_neither_due_at_once_nor_over(string heartBeat)
    {
        await using var server = OfOneSecond();
        var client = await server.ConnectAsync(heartBeat: heartBeat);

        server.Advance(TimeSpan.FromHours(1));

        await client.ExpectNothingAsync();
        Assert.Equal((0, 1), (client.HeartBeats, server.Scheduled));
    }

    [Fact]
    public async Task A_server_that_sends_something_else_sends_no_heart_beat()
    {
        await using var server = OfOneSecond();
        var client = await server.ConnectAsync(heartBeat: "0,1000");

        for (var i = 0; i < 20; i++)
        {
            server.Advance(TimeSpan.FromMilliseconds(250));
            await client.AskAsync("BEGIN\ntransaction:a\n");
            await client.AskAsync("ABORT\ntransaction:a\n");
        }

        Assert.Equal(0, client.HeartBeats);
    }

    [Fact]
    public async Task A_client_that_is_silent_for_two_intervals_is_told_and_cut_if_it_stays_silent()
    {
        await using var server = OfOneSecond();
        var client = await server.ConnectAsync(heartBeat: "1000,0");

        server.Advance(2 * Second);
        await client.ExpectNothingAsync();
        server.Advance(2 * Second);
        await client.ExpectNothingAsync();
        server.Advance(2 * Second + TimeSpan.FromMilliseconds(250));

        Assert.StartsWith(
            "No heart-beat came for 2000 ms", (await client.ReceiveAsync(StompCommand.Error)).Header("message"), StringComparison.Ordinal);
        Assert.Equal(0, server.Meter.Connections.Cut);
        server.Advance(server.Options.CloseTimeout + SessionClock.Period);
        await client.SessionEnded;
        Assert.Equal(1, server.Meter.Connections.Cut);
    }

    [Fact]
    public async Task A_line_end_keeps_a_silent_client_connected()
    {
        await using var server = OfOneSecond();
        var client = await server.ConnectAsync(heartBeat: "1000,0");

        for (var i = 0; i < 10; i++)
        {
            // The second frame shows that the first was read.
            await client.SendAsync("\n");
            await client.ExpectNothingAsync();
            server.Advance(2 * Second);
        }

        await client.ExpectNothingAsync();
    }

    [Fact]
    public async Task Heart_beats_do_not_pile_up_for_a_client_that_does_not_read()
    {
        await using var server = OfOneSecond();
        var client = await server.ConnectAsync(heartBeat: "0,1000");
        client.ServerTransport.Stall();
        server.Advance(Second);
        await client.ServerTransport.WriteWaits.Patiently();

        server.Advance(20 * Second);
        client.ServerTransport.Resume();

        await client.ReceiveHeartBeatAsync();
        await client.ExpectNothingAsync();
        Assert.Equal(1, client.HeartBeats);
    }

    [Theory]
    [InlineData("1000,0")]
    [InlineData("0,0")]
    public async Task A_client_whose_socket_is_not_read_is_neither_called_silent_nor_cut_for_an_answer_that_nobody_read(string heartBeat)
    {
        await using var server = FakeBroker.Serve(out var broker, options =>
        {
            (options.HeartBeat, options.KeepAlive, options.KeepAliveTimeout) = (Second, 10 * Second, 2 * Second);
            options.PublishesUnderWay = 1;
        });
        var client = await server.ConnectAsync(heartBeat: heartBeat);
        await client.PublishAsync("/queue/a", "1", "receipt:1");
        var publish = await broker.NextPublishAsync();
        await publish.Followed.Patiently(); // Only then is the socket not read any more.

        server.Advance(60 * Second);
        await client.SendAsync("\n");
        publish.Take();

        await client.ReceiveReceiptAsync("1");
        await client.ExpectNothingAsync();
        Assert.Equal(WebSocketState.Open, client.Socket.State);
    }

    [Fact]
    public async Task A_client_without_heart_beats_is_not_looked_at()
    {
        await using var server = OfOneSecond();
        var (silent, beating) = (await server.ConnectAsync(heartBeat: "0,0"), await server.ConnectAsync(heartBeat: "0,1000"));
        await server.RestAsync();

        server.Advance(server.Options.ConnectTimeout + SessionClock.Period);

        await silent.ExpectNothingAsync();
        await beating.ReceiveHeartBeatAsync();
        Assert.Equal(1, server.Scheduled);
    }

    [Fact]
    public async Task After_a_pause_of_the_server_its_heart_beats_are_due_by_the_clock_of_the_client_which_went_on()
    {
        await using var server = RelayHarness.Direct(options => options.HeartBeat = 10 * Second);
        var client = await server.ConnectAsync(heartBeat: "0,10000");
        await server.RestAsync();
        server.Advance(2 * Second);

        server.Pause(6 * Second);
        server.Advance(2 * Second);

        await client.ReceiveHeartBeatAsync();
    }

    /// <summary>The clock would keep it, and all that it holds.</summary>
    [Theory]
    [InlineData("leaves")]
    [InlineData("is cut off")]
    [InlineData("breaks a rule")]
    [InlineData("is cut off while messages wait")]
    [InlineData("does not answer the close frame")]
    [InlineData("does not answer a PING")]
    public async Task Nothing_of_a_session_is_on_the_clock_once_its_client(string what)
    {
        await using var server = FakeBroker.Serve(out _, options =>
        {
            (options.HeartBeat, options.OutboxFrames) = (Second, 2);
            (options.KeepAlive, options.KeepAliveTimeout) = (10 * Second, 10 * Second);
        });
        var client = await server.ConnectAsync(heartBeat: "0,1000");
        await client.SubscribeAsync("/queue/a", "1");
        await server.RestAsync();
        Assert.Equal(1, server.Scheduled);

        switch (what)
        {
            case "leaves":
                await client.CloseAsync();
                break;
            case "is cut off":
                client.ServerTransport.Dispose();
                break;
            case "breaks a rule":
                await client.SendAsync("NONSENSE\n\n\0");
                await client.ReceiveErrorAsync();
                break;
            case "is cut off while messages wait":
                client.ServerTransport.Stall();
                await Waiting.UntilAsync(
                    () => server.Subscriptions.Deliver(FakeDelivery.To("/queue/a", "waits")) == DeliverOutcome.NoRoom);
                client.ServerTransport.Dispose();
                break;
            case "does not answer the close frame":
                await client.SendAsync("NONSENSE\n\n\0");
                await client.ReceiveAsync(StompCommand.Error);
                await Assert.ThrowsAnyAsync<Exception>(client.ReceiveAsync);
                server.Advance(server.Options.CloseTimeout + SessionClock.Period);
                break;
            default:
                await client.SessionEnded.WhileAsync(() => server.Advance(SessionClock.Period));
                break;
        }
        await client.SessionEnded;

        Assert.Equal(0, server.Scheduled);
    }

    [Fact]
    public async Task A_session_that_hands_its_connection_over_leaves_the_clock_to_the_next()
    {
        await using var server = RelayHarness.Direct();
        var client = server.OpenPlain();
        Assert.Equal(1, server.Scheduled);

        await client.SendAsync("CONNECT\naccept-version:1.2\nhost:test\n\n\0");
        await client.ReceiveAsync(StompCommand.Connected);
        await server.RestAsync();

        // Until it is time for CONNECT; then it is found to have come.
        Assert.Equal(1, server.Scheduled);
        server.Advance(server.Options.ConnectTimeout + SessionClock.Period);
        await client.ExpectNothingAsync();
        Assert.Equal(0, server.Scheduled);
    }

    private static RelayHarness OfOneSecond() => RelayHarness.Direct(options => options.HeartBeat = Second);
}
