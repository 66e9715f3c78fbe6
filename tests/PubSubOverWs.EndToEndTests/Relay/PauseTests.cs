using System.Runtime.Versioning;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A server that is suspended (SIGSTOP) for longer than clients may be silent.</summary>
[UnsupportedOSPlatform("windows")]
public sealed class PauseTests
{
    private readonly TaskCompletionSource _over = new();
    private int _connected;

    [TheoryNeeds(Needed.Linux)]
    [InlineData("Framework", 20)]
    [InlineData("Lean", 20)]
    // So few that the pause comes before the second tick of the server's clock, now and then.
    [InlineData("Framework", 2)]
    [InlineData("Lean", 2)]
    public async Task Clients_that_sent_their_heart_beats_meanwhile_stay(string frontEnd, int count)
    {
        await using var server = await TestServers.DirectAsync("--Relay:FrontEnd", frontEnd, "--Relay:HeartBeat", "00:00:01");
        var clients = Task.WhenAll(Enumerable.Range(0, count).Select(_ => StayAsync(server.Address)));
        await Waiting.UntilAsync(() => _connected == count || clients.IsFaulted);

        using var seconds = new PeriodicTimer(TimeSpan.FromSeconds(4));
        server.Pause();
        await seconds.WaitForNextTickAsync();
        server.Resume();
        seconds.Period = TimeSpan.FromSeconds(1);
        await seconds.WaitForNextTickAsync();
        _over.SetResult();

        await clients.Patiently();
    }

    private async Task StayAsync(Uri server)
    {
        using var client = await TcpStompClient.ConnectAsync(server, heartBeat: "1000,0");
        Interlocked.Increment(ref _connected);
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(0.25));
        do
            await client.SendAsync("\n");
        while (await timer.WaitForNextTickAsync() && !_over.Task.IsCompleted);
        await client.SendAsync("SUBSCRIBE\ndestination:/queue/a\nid:1\nreceipt:here\n\n\0");
        Assert.DoesNotContain("ERROR", await client.ReadUntilAsync("receipt-id:here"), StringComparison.Ordinal);
    }
}
