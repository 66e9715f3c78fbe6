using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Sessions;

public sealed class SessionClockTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

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
}
