
namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>The direct server's process, and clients that make it keep all they can.</summary>
public sealed class MemoryTests
{
    private const int Clients = 4;

    [Fact]
    public async Task Transactions_of_long_destinations_and_receipts_leave_the_server_below_the_total_that_it_says()
    {
        await using var server =
            await TestServers.DirectAsync("--Relay:OutboxBytesTotal", $"{4 << 20}", "--Relay:UnacknowledgedBytesTotal", $"{4 << 20}",
                "--Relay:SentBytesTotal", $"{96 << 20}", "--Relay:MaxConnections", "10");
        List<TcpStompClient> clients = [];
        for (var i = 0; i < Clients; i++)
            clients.Add(await TcpStompClient.ConnectAsync(server.Address));

        await Task.WhenAll(clients.Select(FillAsync));

        var stats = await TestServers.StatsAsync(server);
        var memory = stats.GetProperty("memory");
        Assert.InRange(stats.GetProperty("rssBytes").GetInt64(), 1, memory.GetProperty("mostBytes").GetInt64());
        Assert.Equal(10, memory.GetProperty("connections").GetInt32());
        clients.ForEach(client => client.Dispose());
    }

    // 16 transactions, each as large as it may be: 250 frames of 1 KiB of destination and as much of receipt.
    private static async Task FillAsync(TcpStompClient client, int number)
    {
        for (var transaction = 0; transaction < 16; transaction++)
        {
            await client.SendAsync($"BEGIN\ntransaction:{transaction}\n\n\0");
            for (var i = 0; i < 240; i++)
            {
                await client.SendAsync($"SEND\ndestination:/queue/{number}-{i}-{new string('d', 1_000)}\ntransaction:{transaction}\n"
                    + $"receipt:{i}-{new string('r', 1_000)}\n\n\0");
            }
        }
        await client.SendAsync("SEND\ndestination:/queue/nobody\nreceipt:all\n\n\0");
        await client.ReadUntilAsync("RECEIPT");
    }
}
