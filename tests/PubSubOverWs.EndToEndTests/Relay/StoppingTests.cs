using System.Diagnostics;
using System.Net;
using System.Net.WebSockets;
using System.Runtime.Versioning;
using System.Text;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>Servers that are told to stop while they are used.</summary>
[UnsupportedOSPlatform("windows")]
public sealed class StoppingTests(StoppingTests.QueueAndWay queue) : IClassFixture<StoppingTests.QueueAndWay>
{
    private static readonly TimeSpan ShutdownTimeout = TimeSpan.FromSeconds(30);
    private static readonly string[] CloseTimeout = ["--Relay:CloseTimeout", "00:00:02"];

    [Fact]
    public async Task An_ordinary_restart_redelivers_only_messages_in_flight_and_loses_none()
    {
        // 30 s of visibility: what comes again within the test was released.
        await using var server = await StartAsync("stopping");
        using var publisher = await StompUser.ConnectAsync(server.Address);
        using var acknowledges = await StompUser.ConnectAsync(server.Address);
        using var flushes = await StompUser.ConnectAsync(server.Address);
        foreach (var (destination, count) in new[] { ("/queue/acknowledged", 10), ("/queue/flushed", 10), ("/queue/held", 5) })
        {
            for (var i = 0; i < count; i++)
                Assert.Null(await publisher.PublishAsync(destination, $"{i}"));
        }
        await flushes.ReceiveAllAsync("/queue/flushed", Ids(0, 10));
        await acknowledges.AcknowledgeAsync("/queue/acknowledged", Ids(0, 10), acknowledged: Ids(0, 6));
        await queue.Way.SetAsync(
            [new LatencyToxic(TimeSpan.FromMilliseconds(200)) { Direction = Direction.ToServer }], seed: 0, CancellationToken.None);
        var underWay = publisher.PublishAsync("/queue/held", "under-way");
        await UntilAsync(server, "in", 26);

        var end = await TerminateAsync(server);

        Assert.Null(await underWay);
        Assert.Equal((0, false), (end.ExitCode, end.Killed));
        await queue.Way.CalmAsync(CancellationToken.None);
        await server.RestartAsync(CancellationToken.None);
        using var after = await StompUser.ConnectAsync(server.Address);
        await after.ReceiveAllAsync("/queue/acknowledged", Ids(6, 4));
        await after.ReceiveAllAsync("/queue/held", [.. Ids(0, 5), "under-way"]);
        Assert.Null(await after.PublishAsync("/queue/flushed", "last"));
        await after.ReceiveAllAsync("/queue/flushed", ["last"]);
        await EmptyAsync("stopping");
        Assert.Equal(4 + 6 + 1, await StatAsync(server, "out"));
    }

    [Theory]
    [InlineData(true, "Framework")]
    [InlineData(false, "Framework")]
    [InlineData(true, "Lean")]
    [InlineData(false, "Lean")]
    public async Task A_stopping_server_is_not_ready_accepts_no_client_and_closes_with_1001(bool isDirect, string frontEnd)
    {
        string[] settings = [.. CloseTimeout, "--Relay:FrontEnd", frontEnd];
        await using var server = isDirect
            ? await TestServers.DirectAsync(settings)
            : await StartAsync("leaving", settings);
        using var leaves = new ClientWebSocket();
        using var stays = new ClientWebSocket();
        await ConnectAsync(leaves, server.Address);
        await ConnectAsync(stays, server.Address);
        await LogInAsync(leaves);
        await LogInAsync(stays);

        var ended = TerminateAsync(server);

        // Who does not answer the close frame keeps the server for its CloseTimeout.
        var close = await leaves.ReceiveAsync(new byte[100], CancellationToken.None);
        Assert.Equal(
            (WebSocketCloseStatus.EndpointUnavailable, "The server is stopping."), (close.CloseStatus, close.CloseStatusDescription));
        using var http = new HttpClient();
        using var health = await http.GetAsync(new Uri(server.Address, "/health/ready"));
        Assert.Equal(
            (HttpStatusCode.ServiceUnavailable, "The server is stopping."), (health.StatusCode, await health.Content.ReadAsStringAsync()));
        using var late = new ClientWebSocket();
        late.Options.CollectHttpResponseDetails = true;
        await Assert.ThrowsAsync<WebSocketException>(() => ConnectAsync(late, server.Address));
        Assert.Equal(HttpStatusCode.ServiceUnavailable, late.HttpStatusCode);
        Assert.Equal(0, (await ended).ExitCode);
    }

    [Fact]
    public async Task A_server_whose_queue_does_not_answer_still_ends_within_its_shutdown_time_out()
    {
        await using var server = await StartAsync("stalled", "--shutdownTimeoutSeconds", "4");
        using var user = await StompUser.ConnectAsync(server.Address);
        Assert.Null(await user.PublishAsync("/queue/held", "taken"));
        await queue.Way.StallAsync(CancellationToken.None);
        var underWay = user.PublishAsync("/queue/held", "under-way");
        await UntilAsync(server, "in", 2);

        var told = Stopwatch.StartNew();
        var end = await TerminateAsync(server);

        // Beyond its 4 s a busy machine has some time to end a process; the 30 s of the default are far off.
        Assert.InRange(told.Elapsed, TimeSpan.Zero, TimeSpan.FromSeconds(15));
        Assert.Equal((0, false), (end.ExitCode, end.Killed));
        await Assert.ThrowsAsync<InvalidOperationException>(() => underWay);
        await queue.Way.CalmAsync(CancellationToken.None);
    }

    // Who has had an answer is known to the server as one who is there.
    private static async Task LogInAsync(ClientWebSocket socket)
    {
        await socket.SendAsync(
            "CONNECT\naccept-version:1.2\nhost:localhost\n\n\0"u8.ToArray(), WebSocketMessageType.Text, endOfMessage: true,
            CancellationToken.None);
        var bytes = new byte[1000];
        var received = await socket.ReceiveAsync(bytes, CancellationToken.None);
        Assert.StartsWith("CONNECTED\n", Encoding.UTF8.GetString(bytes, 0, received.Count), StringComparison.Ordinal);
    }

    private Task<ChildServer> StartAsync(string name, params string[] settings) => TestServers.StartAsync(
        TestServers.PubSub(queue.Way.Address, ["--Queue:Name", name, .. settings]), new ChildOptions { StopTimeout = ShutdownTimeout });

    /// <summary>SIGTERM, and how it ended.</summary>
    private static Task<ChildExit> TerminateAsync(ChildServer server)
    {
        ProcessSignal.Terminate(server.ProcessId);
        return server.Exited.WaitAsync(ShutdownTimeout);
    }

    /// <summary>Completes when the server says that so many messages came in, or went out.</summary>
    private static Task UntilAsync(ChildServer server, string which, long count) =>
        Waiting.UntilAsync(async () => await StatAsync(server, which) == count);

    private static async Task<long> StatAsync(ChildServer server, string which) =>
        (await TestServers.StatsAsync(server)).GetProperty("messages").GetProperty(which).GetInt64();

    private async Task EmptyAsync(string name)
    {
        using var sqs = TestServers.Client(queue.Address);
        var url = await sqs.GetQueueUrlAsync(name, CancellationToken.None);
        await Waiting.UntilAsync(async () => (await sqs.GetQueueAttributesAsync(url, CancellationToken.None)).IsEmpty);
    }

    private static Task ConnectAsync(ClientWebSocket socket, Uri server)
    {
        socket.Options.AddSubProtocol("v12.stomp");
        return socket.ConnectAsync(new UriBuilder(server) { Scheme = "ws", Path = "/ws" }.Uri, CancellationToken.None);
    }

    private static string[] Ids(int first, int count) => [.. Enumerable.Range(first, count).Select(number => $"{number}")];

    /// <summary>A queue, and a way to it that a test may disturb.</summary>
    public sealed class QueueAndWay : IAsyncLifetime
    {
        private ChildServer _localSqs = null!;

        public Uri Address => _localSqs.Address;

        public FaultProxy Way { get; private set; } = null!;

        public async Task InitializeAsync()
        {
            _localSqs = await TestServers.QueueAsync();
            Way = await FaultProxy.StartAsync(Address, connections: 100, new ChildOptions(), CancellationToken.None);
        }

        public async Task DisposeAsync()
        {
            await Way.DisposeAsync();
            await _localSqs.DisposeAsync();
        }
    }
}
