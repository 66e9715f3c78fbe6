using System.Text.Json;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>Messages that a client does not read, on real sockets, whose buffers take megabytes of them.</summary>
public sealed class UnreadTests
{
    private const int Messages = 200;
    private const int Bytes = 60_000;

    [Fact]
    public async Task A_client_that_reads_again_before_it_is_cut_gets_all_delivered_messages_and_the_reason()
    {
        await using var server = await StartAsync("00:01:00");
        using var subscriber = await NotReadingAsync(server);
        await Waiting.UntilAsync(async () => Of(await TestServers.StatsAsync(server), "connections", "slow") == 1);
        // Clients send while they do not read.
        await subscriber.SendAsync("\n");

        var came = await subscriber.ReadUntilAsync("ERROR\n");

        var stats = await TestServers.StatsAsync(server);
        Assert.Equal(Of(stats, "messages", "out"), came.Split("MESSAGE\n").Length - 1);
        Assert.InRange(Of(stats, "messages", "out"), 1, Messages - 1);
        Assert.Equal(0, Of(stats, "connections", "cut"));
    }

    [Fact]
    public async Task A_client_that_keeps_not_reading_is_cut_and_counted()
    {
        await using var server = await StartAsync("00:00:01");
        using var subscriber = await NotReadingAsync(server);

        await Waiting.UntilAsync(async () => Of(await TestServers.StatsAsync(server), "connections", "cut") == 1);
        await Waiting.UntilAsync(async () => Of(await TestServers.StatsAsync(server), "connections", "open") == 0);
    }

    /// <summary>Far less than it takes for a write to be done, and for the system to report room, within the time-out.</summary>
    [Theory]
    [InlineData("Framework")]
    [InlineData("Lean")]
    public async Task A_client_that_reads_30_kB_a_second_stays_and_one_that_stops_is_ended(string frontEnd)
    {
        await using var server = await StartAsync("00:00:01", "--Relay:FrontEnd", frontEnd, "--Relay:SlowConsumerTimeout", "00:00:02");
        using var subscriber = await NotReadingAsync(server);

        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(0.1));
        for (var i = 0; i < 35; i++)
        {
            await timer.WaitForNextTickAsync();
            await subscriber.ReadAsync(3_000);
        }
        Assert.Equal(0, Of(await TestServers.StatsAsync(server), "connections", "slow"));

        await Waiting.UntilAsync(async () => Of(await TestServers.StatsAsync(server), "connections", "slow") == 1);
    }

    private static Task<ChildServer> StartAsync(string closeTimeout, params string[] more) => TestServers.DirectAsync(
        ["--Relay:CloseTimeout", closeTimeout, .. more.Length > 0 ? more : ["--Relay:SlowConsumerTimeout", "00:00:01"]]);

    /// <summary>Subscribed, and sent more than all buffers take.</summary>
    private static async Task<TcpStompClient> NotReadingAsync(ChildServer server)
    {
        var subscriber = await TcpStompClient.ConnectAsync(server.Address);
        await subscriber.SendAsync("SUBSCRIBE\ndestination:/queue/a\nid:1\nreceipt:s\n\n\0");
        await subscriber.ReadUntilAsync("RECEIPT");
        using var publisher = await TcpStompClient.ConnectAsync(server.Address);
        for (var i = 0; i < Messages; i++)
            await publisher.SendAsync($"SEND\ndestination:/queue/a\n\n{new string('x', Bytes)}\0");
        await publisher.SendAsync("SEND\ndestination:/queue/nobody\nreceipt:all\n\n\0");
        await publisher.ReadUntilAsync("RECEIPT");
        return subscriber;
    }

    private static long Of(JsonElement stats, string part, string name) => stats.GetProperty(part).GetProperty(name).GetInt64();
}
