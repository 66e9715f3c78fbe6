namespace PubSubOverWs.Tests.Relay.Sessions;

/// <summary>A client that sends without a pause does not keep the thread that its session runs on.</summary>
public sealed class TurnTests
{
    // A turn is 64 frames or 64 KiB, and what one receive brought when that was reached.
    [Theory]
    [InlineData(10, 128)]
    [InlineData(20_000, 8)]
    public async Task A_session_with_much_to_act_on_lets_others_have_their_turn(int bodyBytes, int most)
    {
        await using var server = RelayHarness.Direct();
        var (client, turns) = Turns.Open(server);
        var send = $"SEND\ndestination:/topic/t\n\n{new string('x', bodyBytes)}\0";
        await client.SendAsync($"CONNECT\naccept-version:1.2\nhost:test\n\n\0{string.Concat(Enumerable.Repeat(send, 1_000))}");

        Assert.InRange(await turns.LargestAsync(() => server.Meter.Messages.In, 1_000), 1, most);
    }

    [Fact]
    public async Task A_session_that_ended_and_whose_client_goes_on_sending_lets_others_have_their_turn()
    {
        await using var server = RelayHarness.Direct();
        var (client, turns) = Turns.Open(server);
        await client.SendAsync("NONSENSE\n\n\0");
        await client.SendAsync(new string('x', 8 << 20));

        Assert.InRange(await turns.LargestAsync(() => client.ServerTransport.BytesRead, 8 << 20), 1, 128 * 1024);
    }
}
