using System.Net.Sockets;
using System.Security.Cryptography;
using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.EndToEndTests.Faults;

public sealed class ToxicProxyTests : IAsyncLifetime
{
    private readonly ProxyRig _rig = new();

    public Task InitializeAsync() => Task.CompletedTask;

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

    public Task DisposeAsync() => _rig.DisposeAsync().AsTask();

    [Fact]
    public async Task Bytes_pass_both_ways_and_a_side_that_has_finished_sending_may_still_receive()
    {
        var (client, server) = await _rig.ConnectAsync();

        await client.SendAsync("question"u8.ToArray());
        client.Shutdown(SocketShutdown.Send);
        Assert.Equal("question"u8.ToArray(), await ProxyRig.ReceiveAsync(server, 8));
        Assert.Equal(SocketError.Success, await ProxyRig.EndOfAsync(server));
        await server.SendAsync("answer"u8.ToArray());
        Assert.Equal("answer"u8.ToArray(), await ProxyRig.ReceiveAsync(client, 6));
        server.Shutdown(SocketShutdown.Send);
        Assert.Equal(SocketError.Success, await ProxyRig.EndOfAsync(client));

        await Waiting.UntilAsync(() => _rig.Proxy.Counts.Open == 0);
        var counts = _rig.Proxy.Counts;
        Assert.Equal((1L, 1L, 8L, 6L), (counts.Accepted, counts.Closed, counts.BytesToServer, counts.BytesToClient));
    }

    [Fact]
    public async Task A_connection_that_is_cut_is_reset_on_both_sides_and_others_notice_nothing()
    {
        var pairs = new List<(Socket Client, Socket Server)>();
        for (var i = 0; i < 8; i++)
            pairs.Add(await _rig.ConnectAsync());

        Assert.Equal(4, _rig.Proxy.Cut(share: 0.5, seed: 1));

        await Waiting.UntilAsync(() => _rig.Proxy.Counts is { Open: 4, Cut: 4 });
        var cut = pairs.Where(pair => pair.Client.Poll(TimeSpan.Zero, SelectMode.SelectRead)).ToArray();
        Assert.Equal(4, cut.Length);
        foreach (var (client, server) in cut)
        {
            Assert.Equal(SocketError.ConnectionReset, await ProxyRig.EndOfAsync(client));
            Assert.Equal(SocketError.ConnectionReset, await ProxyRig.EndOfAsync(server));
        }
        foreach (var (client, server) in pairs.Except(cut))
        {
            await client.SendAsync("x"u8.ToArray());
            Assert.Equal("x"u8.ToArray(), await ProxyRig.ReceiveAsync(server, 1));
        }
    }

    [Fact]
    public async Task A_reset_to_the_client_is_an_ordinary_close_to_the_server()
    {
        var (client, server) = await _rig.ConnectAsync();
        _rig.Set(new ResetToxic(TimeSpan.FromSeconds(5)) { Direction = Direction.ToClient });

        _rig.Time.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal(1, _rig.Proxy.Counts.Open);
        _rig.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(SocketError.ConnectionReset, await ProxyRig.EndOfAsync(client));
        Assert.Equal(SocketError.Success, await ProxyRig.EndOfAsync(server));
        await Waiting.UntilAsync(() => _rig.Proxy.Counts.Reset == 1);
    }

    [Fact]
    public async Task A_side_that_resets_resets_the_other()
    {
        var (client, server) = await _rig.ConnectAsync();

        server.LingerState = new LingerOption(true, 0);
        server.Close();

        Assert.Equal(SocketError.ConnectionReset, await ProxyRig.EndOfAsync(client));
        await Waiting.UntilAsync(() => _rig.Proxy.Counts.Broken == 1);
    }

    [Fact]
    public async Task A_limit_passes_its_bytes_and_closes()
    {
        _rig.Set(new LimitToxic(10) { Direction = Direction.ToClient });
        var (client, server) = await _rig.ConnectAsync();

        await server.SendAsync(new byte[100]);

        await ProxyRig.ReceiveAsync(client, 10);
        Assert.Equal(SocketError.Success, await ProxyRig.EndOfAsync(client));
        await Waiting.UntilAsync(() => _rig.Proxy.Counts.Limited == 1);
        Assert.Equal(10, _rig.Proxy.Counts.BytesToClient);
    }

    [Fact]
    public async Task While_the_proxy_refuses_new_connections_fail_and_open_ones_stay()
    {
        var (client, server) = await _rig.ConnectAsync();
        for (var again = 0; again < 3; again++)
        {
            _rig.Proxy.Refuse();
            var refused = await Assert.ThrowsAsync<SocketException>(_rig.DialAsync);
            Assert.Equal(SocketError.ConnectionRefused, refused.SocketErrorCode);
            await client.SendAsync("x"u8.ToArray());
            Assert.Equal("x"u8.ToArray(), await ProxyRig.ReceiveAsync(server, 1));

            _rig.Proxy.Accept();
            await _rig.ConnectAsync();
        }
    }

    [Fact]
    public async Task Nothing_passes_while_the_proxy_stalls_and_nothing_is_lost()
    {
        var (client, server) = await _rig.ConnectAsync();
        _rig.Proxy.Stall();
        await client.SendAsync("late"u8.ToArray());
        var (second, behind) = await _rig.ConnectAsync();
        await second.SendAsync("too"u8.ToArray());
        Assert.Equal(0, _rig.Proxy.Counts.BytesToServer);

        _rig.Proxy.Resume();

        Assert.Equal("late"u8.ToArray(), await ProxyRig.ReceiveAsync(server, 4));
        Assert.Equal("too"u8.ToArray(), await ProxyRig.ReceiveAsync(behind, 3));
    }

    [Fact]
    public async Task A_reset_does_not_pass_while_the_proxy_stalls()
    {
        var (client, server) = await _rig.ConnectAsync();
        _rig.Proxy.Stall();
        client.LingerState = new LingerOption(true, 0);
        client.Close();
        await _rig.ConnectAsync();
        Assert.Equal(2, _rig.Proxy.Counts.Open);
        Assert.False(server.Poll(TimeSpan.Zero, SelectMode.SelectRead));

        _rig.Proxy.Resume();

        Assert.Equal(SocketError.ConnectionReset, await ProxyRig.EndOfAsync(server));
    }

    [Fact]
    public async Task Toxics_are_taken_back_while_a_connection_ends()
    {
        var (client, server) = await _rig.ConnectAsync();
        _rig.Set(new LatencyToxic(TimeSpan.FromHours(1)) { Direction = Direction.ToServer });
        server.Shutdown(SocketShutdown.Send);
        Assert.Equal(SocketError.Success, await ProxyRig.EndOfAsync(client));
        await client.SendAsync("bye"u8.ToArray());
        client.Shutdown(SocketShutdown.Send);
        await Waiting.UntilAsync(() => _rig.Time.TimersSet == 1);

        _rig.Set();

        Assert.Equal("bye"u8.ToArray(), await ProxyRig.ReceiveAsync(server, 3));
        await Waiting.UntilAsync(() => _rig.Proxy.Counts is { Open: 0, Closed: 1 });
    }

    [Fact]
    public async Task A_client_of_a_server_that_is_not_there_is_reset()
    {
        _rig.StopServer();

        Assert.Equal(SocketError.ConnectionReset, await _rig.EndOfNewAsync());
        Assert.Equal((1L, 1L), (_rig.Proxy.Counts.Accepted, _rig.Proxy.Counts.Unreachable));
    }

    [Fact]
    public async Task Connections_beyond_the_limit_are_reset_and_counted()
    {
        await using var small = new ProxyRig(most: 2);
        var (first, _) = await small.ConnectAsync();
        await small.ConnectAsync();

        Assert.Equal(SocketError.ConnectionReset, await small.EndOfNewAsync());
        Assert.Equal((2L, 1L), (small.Proxy.Counts.Accepted, small.Proxy.Counts.Refused));

        first.LingerState = new LingerOption(true, 0);
        first.Close();
        await Waiting.UntilAsync(() => small.Proxy.Counts.Open == 1);
        await small.ConnectAsync();
    }

    [Fact]
    public async Task A_proxy_that_stops_leaves_no_connection_and_no_timer()
    {
        _rig.Set(new ChurnToxic(TimeSpan.FromHours(1)), new LatencyToxic(TimeSpan.FromHours(1)));
        var (client, server) = await _rig.ConnectAsync();
        await client.SendAsync("never"u8.ToArray());
        await Waiting.UntilAsync(() => _rig.Time.TimersSet == 2);

        await _rig.Proxy.DisposeAsync();

        Assert.Equal(SocketError.ConnectionReset, await ProxyRig.EndOfAsync(client));
        Assert.Equal(SocketError.ConnectionReset, await ProxyRig.EndOfAsync(server));
        Assert.Equal(0, _rig.Time.TimersSet);
        await Assert.ThrowsAsync<SocketException>(_rig.DialAsync);
    }
}
