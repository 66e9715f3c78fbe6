using System.Net.Sockets;
using System.Security.Cryptography;
using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.EndToEndTests.Faults;

public sealed class ManyConnectionsTests
{
    private const int Connections = 300;

    [Fact]
    public async Task Hundreds_of_connections_get_every_byte_through_slices_and_jitter()
    {
        await using var rig = new ProxyRig(Connections, TimeProvider.System);
        rig.Set(
            new SlicerToxic(500, 400), new LatencyToxic(TimeSpan.FromMilliseconds(3), TimeSpan.FromMilliseconds(3)),
            new StallToxic(TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(10)));
        var pairs = new List<(Socket Client, Socket Server)>();
        for (var i = 0; i < Connections; i++)
            pairs.Add(await rig.ConnectAsync());

        var hashes = await Task.WhenAll(pairs.Select(async (pair, i) =>
        {
            var bytes = new byte[10_000];
            new Random(i).NextBytes(bytes);
            var up = ProxyRig.ReceiveAsync(pair.Server, bytes.Length);
            var down = ProxyRig.ReceiveAsync(pair.Client, bytes.Length);
            await Task.WhenAll(pair.Client.SendAsync(bytes), pair.Server.SendAsync(bytes));
            return (Sent: Hash(bytes), Up: Hash(await up), Down: Hash(await down));
        }));

        Assert.All(hashes, hash => Assert.Equal((hash.Sent, hash.Sent), (hash.Up, hash.Down)));
        // A byte counts once it is written, when its reader may have it already.
        await Waiting.UntilAsync(() =>
            (rig.Proxy.Counts.BytesToServer, rig.Proxy.Counts.BytesToClient) == (Connections * 10_000L, Connections * 10_000L));
    }

    [Fact]
    public async Task Churn_cuts_every_connection_once_in_its_time_spread_over_it()
    {
        await using var rig = new ProxyRig(Connections + 1);
        for (var i = 0; i < Connections; i++)
            await rig.ConnectAsync();
        var set = new ToxicSet([new ChurnToxic(TimeSpan.FromSeconds(10))], Seed: 1);
        var early = Enumerable.Range(0, Connections)
            .Count(i => ConnectionToxics.Draw(set, i, TimeSpan.Zero, atOpening: false).ResetAt <= TimeSpan.FromSeconds(5));
        Assert.InRange(early, 120, 180);
        rig.Proxy.Set(set);

        rig.Time.Advance(TimeSpan.FromSeconds(5));
        await Waiting.UntilAsync(() => rig.Proxy.Counts.Reset == early);
        var (late, _) = await rig.ConnectAsync();
        rig.Time.Advance(TimeSpan.FromSeconds(5));
        await Waiting.UntilAsync(() => rig.Proxy.Counts.Reset == Connections);

        Assert.Equal(1, rig.Proxy.Counts.Open); // The one that came in the middle has its whole time.
        rig.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(SocketError.ConnectionReset, await ProxyRig.EndOfAsync(late));
    }

    private static string Hash(byte[] bytes) => Convert.ToHexString(SHA256.HashData(bytes));
}
