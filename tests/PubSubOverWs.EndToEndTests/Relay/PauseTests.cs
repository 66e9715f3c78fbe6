using System.Runtime.Versioning;
using PubSubOverWs.EndToEndTests.Load;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Relay;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A server that is suspended (SIGSTOP) for longer than clients may be silent.</summary>
[UnsupportedOSPlatform("windows")]
public sealed class PauseTests
{
    private const int Clients = 100;

    private static readonly TimeSpan Paused = TimeSpan.FromSeconds(2.5);

    [LinuxTheory]
    [InlineData("Framework")]
    [InlineData("Lean")]
    public async Task Clients_that_sent_their_heart_beats_meanwhile_stay(string frontEnd)
    {
        await using var server = await ChildServer.StartAsync(
            DirectTarget.Program.Command("--Relay:FrontEnd", frontEnd, "--Relay:HeartBeat", "00:00:00.5"), new ChildOptions(),
            CancellationToken.None);
        var clients = new List<TcpStompClient>();
        for (var i = 0; i < Clients; i++)
            clients.Add(await TcpStompClient.ConnectAsync(server.Address, heartBeat: "500,0"));

        server.Pause();
        await BeatAsync(clients, Paused);
        server.Resume();
        await BeatAsync(clients, TimeSpan.FromSeconds(1));

        // An ERROR would come before it.
        await Task.WhenAll(clients.Select(AskAsync)).Patiently();
        clients.ForEach(client => client.Dispose());
    }

    private static async Task BeatAsync(List<TcpStompClient> clients, TimeSpan during)
    {
        var every = TimeSpan.FromSeconds(0.25);
        using var timer = new PeriodicTimer(every);
        for (var passed = TimeSpan.Zero; passed < during; passed += every)
        {
            await Task.WhenAll(clients.Select(client => client.SendAsync("\n")));
            await timer.WaitForNextTickAsync();
        }
    }

    private static async Task AskAsync(TcpStompClient client)
    {
        await client.SendAsync("SUBSCRIBE\ndestination:/queue/a\nid:1\nreceipt:here\n\n\0");
        Assert.DoesNotContain("ERROR", await client.ReadUntilAsync("receipt-id:here"), StringComparison.Ordinal);
    }
}
