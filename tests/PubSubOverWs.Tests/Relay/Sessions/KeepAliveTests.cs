using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Sessions;

/// <summary>PING to clients that send nothing. The clients here answer while they read, as the framework's WebSocket does.</summary>
public sealed class KeepAliveTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    [Fact]
    public async Task A_silent_client_gets_a_ping_and_stays_when_it_answers()
    {
        await using var server = Of(every: 10 * Second, answer: 2 * Second);
        var client = await server.SubscriberAsync("/queue/a");
        var message = client.ReceiveAsync(StompCommand.Message);

        for (var i = 0; i < 3; i++)
        {
            await server.RestAsync();
            var (writes, reads) = (client.ServerTransport.Writes.Length, server.Reads);
            server.Advance(10 * Second + SessionClock.Period);
            await Waiting.UntilAsync(() => server.Reads > reads);
            Assert.Equal([2], client.ServerTransport.Writes[writes..]);
        }
        server.Advance(3 * Second);

        await server.Broker.PublishAsync([FakeDelivery.To("/queue/a", "still here").Message]);
        Assert.Equal("still here", (await message).Body);
    }

    [Fact]
    public async Task A_client_is_not_cut_for_want_of_an_answer_while_the_ping_waits_behind_what_it_takes_slowly()
    {
        await using var server = Of(every: 10 * Second, answer: 2 * Second);
        var client = await server.SubscriberAsync("/queue/a");
        await server.RestAsync();
        client.ServerTransport.Stall();
        await server.Broker.PublishAsync([FakeDelivery.To("/queue/a", "slow").Message]);
        await client.ServerTransport.WriteWaits.Patiently();

        server.Advance(20 * Second);
        var reads = server.Reads;
        client.ServerTransport.Resume();

        await client.ReceiveMessageAsync("slow");
        var next = client.ReceiveAsync(StompCommand.Message);
        await Waiting.UntilAsync(() => server.Reads > reads);
        server.Advance(3 * Second);
        await server.Broker.PublishAsync([FakeDelivery.To("/queue/a", "still here").Message]);
        Assert.Equal("still here", (await next).Body);
    }

    [Fact]
    public async Task A_client_that_sends_gets_no_ping()
    {
        await using var server = Of(every: 10 * Second, answer: 2 * Second);
        var client = await server.ConnectAsync();

        for (var i = 0; i < 20; i++)
        {
            await client.ExpectNothingAsync();
            server.Advance(9 * Second);
        }

        Assert.DoesNotContain(2, client.ServerTransport.Writes);
    }

    [Fact]
    public async Task A_client_whose_heart_beats_wait_to_be_read_is_not_called_silent_and_one_that_stays_silent_is()
    {
        await using var server = RelayHarness.Direct(options => options.HeartBeat = 2 * Second);
        var client = await server.ConnectAsync(heartBeat: "2000,0");
        server.Advance(3 * Second);

        server.Pause(6 * Second);
        server.Pause(TimeSpan.FromMilliseconds(1)); // The timer makes up for a turn at once.
        server.Advance(SessionClock.Period);
        await client.ExpectNothingAsync();
        server.Advance(4 * Second + SessionClock.Period);

        Assert.StartsWith("No heart-beat came for 4000 ms", (await client.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_has_its_time_to_answer_a_ping()
    {
        await using var server = RelayHarness.Direct(
            options => (options.KeepAlive, options.KeepAliveTimeout) = (10 * Second, 2 * Second));
        var client = await server.ConnectAsync();
        await server.RestAsync();
        server.Advance(10 * Second + SessionClock.Period);
        await server.RestAsync();

        server.Pause(6 * Second);
        server.Advance(Second);
        Assert.False(client.SessionEnded.IsCompleted);
        server.Advance(Second);

        await client.SessionEnded;
    }

    [Fact]
    public async Task A_client_has_its_time_to_answer_the_close_frame()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.ConnectAsync();
        await client.SendAsync("NONSENSE\n\n\0");
        await client.ReceiveAsync(StompCommand.Error);
        await Assert.ThrowsAnyAsync<Exception>(client.ReceiveAsync);

        server.Pause(2 * server.Options.CloseTimeout);
        server.Advance(server.Options.CloseTimeout - Second);
        Assert.Equal(0, server.Meter.Connections.Cut);
        server.Advance(Second + SessionClock.Period);

        await client.SessionEnded;
        Assert.Equal(1, server.Meter.Connections.Cut);
    }

    [Fact]
    public async Task A_client_has_its_time_for_CONNECT()
    {
        await using var server = RelayHarness.Direct();
        var client = server.Open();

        server.Pause(2 * server.Options.ConnectTimeout);
        server.Advance(server.Options.ConnectTimeout - Second);

        await client.SendAsync("CONNECT\naccept-version:1.2\nhost:test\n\n\0");
        await client.ReceiveAsync(StompCommand.Connected);
    }

    private static RelayHarness Of(TimeSpan every, TimeSpan answer) =>
        RelayHarness.Direct(options => (options.KeepAlive, options.KeepAliveTimeout) = (every, answer));
}
