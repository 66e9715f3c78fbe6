using System.Net;
using System.Net.Http.Json;
using System.Net.WebSockets;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Faults;

/// <summary>The proxy as a run has it: a process of its own, between a server and its clients.</summary>
public sealed class FaultProxyTests(SharedServers servers) : IClassFixture<SharedServers>, IAsyncLifetime
{
    private static readonly byte[] Hello = "hello"u8.ToArray();

    private ChildServer _echo = null!;
    private FaultProxy _proxy = null!;

    public async Task InitializeAsync()
    {
        _echo = await servers.GetAsync(NullEcho.ChildCommand);
        _proxy = await FaultProxy.StartAsync(_echo.Address, connections: 10, new ChildOptions(), CancellationToken.None);
    }

    public async Task DisposeAsync() => await _proxy.DisposeAsync();

    [Fact]
    public async Task A_WebSocket_passes_through_the_proxy_until_it_is_cut()
    {
        using var socket = await ConnectAsync();
        Assert.Equal(Hello, await EchoAsync(socket));
        var before = await _proxy.StateAsync(CancellationToken.None);
        Assert.Equal((1, 1L), (before.Counts.Open, before.Counts.Accepted));
        Assert.True(before.Counts.BytesToServer > 0 && before.Counts.BytesToClient > 0);

        var state = await _proxy.CutAsync(share: 1, seed: 0, CancellationToken.None);

        await Assert.ThrowsAsync<WebSocketException>(() => EchoAsync(socket));
        Assert.Equal((OrderKind.Cut, "1 of 1"), (state.Events[^1].Do, state.Events[^1].Detail));
        using var again = await ConnectAsync();
        Assert.Equal(Hello, await EchoAsync(again));
    }

    [Fact]
    public async Task Toxics_are_set_and_taken_back_while_the_proxy_runs()
    {
        using var socket = await ConnectAsync();

        await _proxy.SetAsync(
            [new LatencyToxic(TimeSpan.FromHours(1)) { Direction = Direction.ToClient }], seed: 1, CancellationToken.None);
        var before = (await _proxy.StateAsync(CancellationToken.None)).Counts;
        var echoing = EchoAsync(socket);
        await ReachedTheServerAsync(before);
        Assert.Equal(before.BytesToClient, (await _proxy.StateAsync(CancellationToken.None)).Counts.BytesToClient);
        var state = await _proxy.CalmAsync(CancellationToken.None);

        Assert.Equal(Hello, await echoing);
        Assert.Equal([OrderKind.Toxics, OrderKind.Calm], state.Events.Select(each => each.Do));
    }

    [Fact]
    public async Task Several_proxies_in_one_process_have_toxics_of_their_own()
    {
        var proxies = await FaultProxy.StartSeveralAsync(
            _echo.Address, connections: 10, count: 2, new ChildOptions(), CancellationToken.None);
        await using var first = proxies[0];

        await proxies[1].SetAsync([new LatencyToxic(TimeSpan.FromHours(1))], seed: 1, CancellationToken.None);

        Assert.NotEqual(first.Address, proxies[1].Address);
        Assert.Same(first.Process, proxies[1].Process);
        Assert.Empty((await first.StateAsync(CancellationToken.None)).Events);
        Assert.Equal(OrderKind.Toxics, Assert.Single((await proxies[1].StateAsync(CancellationToken.None)).Events).Do);
        using var http = new HttpClient { BaseAddress = first.Process.Address };
        Assert.Equal(HttpStatusCode.BadRequest, (await http.GetAsync(new Uri("/state?proxy=2", UriKind.Relative))).StatusCode);
    }

    [Fact]
    public async Task The_proxy_refuses_accepts_stalls_and_resumes()
    {
        await _proxy.RefuseAsync(CancellationToken.None);
        await Assert.ThrowsAsync<WebSocketException>(ConnectAsync);
        await _proxy.AcceptAsync(CancellationToken.None);
        await _proxy.StallAsync(CancellationToken.None);
        var connecting = ConnectAsync();
        await _proxy.ResumeAsync(CancellationToken.None);

        using var socket = await connecting;
        Assert.Equal(Hello, await EchoAsync(socket));
    }

    [Fact]
    public async Task The_proxy_stops_and_its_connections_end_with_it()
    {
        using var socket = await ConnectAsync();

        var exit = await _proxy.Process.StopAsync();

        Assert.Equal((0, false), (exit.ExitCode, exit.Killed));
        await Assert.ThrowsAsync<WebSocketException>(() => EchoAsync(socket));
        var failure = await Assert.ThrowsAsync<ChildException>(() => _proxy.StateAsync(CancellationToken.None));
        Assert.StartsWith("The fault proxy at http://127.0.0.1:", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Orders_that_make_no_sense_are_refused_whole()
    {
        await Assert.ThrowsAsync<ArgumentException>(() => _proxy.SetAsync([new BandwidthToxic(0)], seed: 1, CancellationToken.None));

        using var http = new HttpClient { BaseAddress = _proxy.Process.Address };
        var orders = new Uri(FaultProxyProcess.OrdersPath, UriKind.Relative);
        var wrong = await http.PostAsJsonAsync(orders, new object[] { new { @do = "refuse" }, new { @do = "cut", share = 2 } });
        var text = await http.PostAsync(orders, new StringContent("""[{"do":"refuse"}]"""));

        Assert.Equal(
            (HttpStatusCode.BadRequest, "cut: the share must be from 0 to 1."),
            (wrong.StatusCode, await wrong.Content.ReadAsStringAsync()));
        Assert.Equal(HttpStatusCode.BadRequest, text.StatusCode);
        Assert.Empty((await _proxy.StateAsync(CancellationToken.None)).Events);
    }

    [Fact]
    public async Task A_web_page_cannot_use_the_controls_of_the_proxy_by_DNS_rebinding()
    {
        using var http = new HttpClient { BaseAddress = _proxy.Process.Address };
        http.DefaultRequestHeaders.Host = $"rebound.example:{_proxy.Process.Address.Port}";

        var ordered = await http.PostAsJsonAsync(
            new Uri(FaultProxyProcess.OrdersPath, UriKind.Relative), new object[] { new { @do = "refuse" } });
        var asked = await http.GetAsync(new Uri(FaultProxyProcess.StatePath, UriKind.Relative));

        Assert.Equal((HttpStatusCode.Forbidden, HttpStatusCode.Forbidden), (ordered.StatusCode, asked.StatusCode));
        Assert.Empty((await _proxy.StateAsync(CancellationToken.None)).Events);
    }

    private Task ReachedTheServerAsync(ProxyCounts before) =>
        Waiting.UntilAsync(async () => (await _proxy.StateAsync(CancellationToken.None)).Counts.BytesToServer != before.BytesToServer);

    private async Task<ClientWebSocket> ConnectAsync()
    {
        var socket = new ClientWebSocket();
        await socket.ConnectAsync(new UriBuilder(_proxy.Address) { Scheme = "ws", Path = ClientTarget.Path }.Uri, CancellationToken.None);
        return socket;
    }

    private static async Task<byte[]> EchoAsync(ClientWebSocket socket)
    {
        await socket.SendAsync(Hello, WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None);
        var bytes = new byte[100];
        var received = await socket.ReceiveAsync(bytes, CancellationToken.None);
        return bytes[..received.Count];
    }
}
