using System.Collections.Concurrent;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using PubSubOverWs.DirectServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay;

/// <summary>
/// A server without a network: its sessions run over connections in memory, on a clock that stands still until a test moves it.
/// </summary>
internal sealed class RelayHarness : IAsyncDisposable
{
    private readonly RelayContext _context;
    private readonly DeliveryStep _step;
    private readonly SessionClock _clock;
    private readonly NodeId _node = new();
    private readonly List<(MemoryTransport Transport, Task Session)> _sessions = [];
    // No bag: what threads keep of one would keep the whole harness alive.
    private readonly ConcurrentQueue<Connection> _connections = [];

    public RelayHarness(
        Func<RelayHarness, IBroker> broker, Action<RelayOptions>? configure = null, AccessOptions? access = null,
        Func<User, string, bool>? matches = null)
    {
        configure?.Invoke(Options);
        _step = new DeliveryStep(Microsoft.Extensions.Options.Options.Create(Options), Time);
        var telemetry = TestTelemetry.Of(Time);
        Subscriptions = new Subscriptions(_step, telemetry);
        Gate = new Gate(Microsoft.Extensions.Options.Options.Create(access ?? new AccessOptions()), Time, matches);
        _context = new RelayContext(
            Microsoft.Extensions.Options.Options.Create(Options), Gate, broker(this), Subscriptions, Meter, Time, new AwakeTime(Time),
            telemetry, Log);
        Connections = new Connections(_context);
        _clock = new SessionClock(_context);
    }

    /// <summary>With the broker of the direct server.</summary>
    /// <param name="buffer">Messages that it keeps in memory; 0: none.</param>
    /// <param name="bufferBytes">That they may take.</param>
    public static RelayHarness Direct(
        Action<RelayOptions>? configure = null, AccessOptions? access = null, Func<User, string, bool>? matches = null, int buffer = 0,
        int bufferBytes = 1 << 20) => new(
        harness => new DirectBroker(
            harness.Subscriptions, harness.Meter,
            buffer > 0 ? new DirectBuffer(harness.Subscriptions, harness.Meter, buffer, bufferBytes) : null),
        configure, access, matches);

    public RelayOptions Options { get; } = new() { HeartBeat = TimeSpan.Zero, KeepAlive = TimeSpan.Zero };
    public Gate Gate { get; }
    public IBroker Broker => _context.Broker;
    public FakeTime Time { get; } = new();
    public Budget TopicBacklogs => _context.TopicBacklogs;
    public Subscriptions Subscriptions { get; }
    public RelayMeter Meter { get; } = new();
    public Connections Connections { get; }
    public RecordingLog Log { get; } = new();
    public ConnectionsShutdown Shutdown => new(Connections, _context, Microsoft.Extensions.Options.Options.Create(new HostOptions()));

    /// <summary>A STOMP client that has sent nothing yet.</summary>
    /// <param name="kind">Of the WebSocket messages it sends.</param>
    /// <param name="bearer">Whose token its handshake showed; null: nobody's.</param>
    public StompTestClient Open(WebSocketMessageType kind = WebSocketMessageType.Text, User? bearer = null)
    {
        var (socket, transport, session) = Start((context, connection) => new StompSession(context, connection, bearer));
        return new StompTestClient(socket, transport, session, kind);
    }

    /// <summary>A STOMP client that is connected.</summary>
    public async Task<StompTestClient> ConnectAsync(
        string version = "1.2", string heartBeat = "0,0", WebSocketMessageType kind = WebSocketMessageType.Text)
    {
        var client = Open(kind);
        await client.SendAsync($"CONNECT\naccept-version:{version}\nhost:test\nheart-beat:{heartBeat}\n\n\0");
        await client.ReceiveAsync(StompCommand.Connected);
        client.Version = version switch { "1.0" => StompVersion.V10, "1.1" => StompVersion.V11, _ => StompVersion.V12 };
        return client;
    }

    /// <summary>A STOMP client with a subscription, whose id is 1.</summary>
    public async Task<StompTestClient> SubscriberAsync(string destination, params string[] headers)
    {
        var client = await ConnectAsync();
        await client.SubscribeAsync(destination, "1", headers);
        return client;
    }

    /// <summary>A client that offered no sub-protocol.</summary>
    /// <param name="kind">Of the WebSocket messages it sends.</param>
    /// <param name="rawRefusal">Why it may not use the raw relay; null: it may.</param>
    public StompTestClient OpenPlain(WebSocketMessageType kind = WebSocketMessageType.Text, string? rawRefusal = null)
    {
        var (socket, transport, session) = Start(
            (context, connection) => new OpeningSession(context, connection, bearer: null, rawRefusal));
        return new StompTestClient(socket, transport, session, kind);
    }

    /// <summary>Serves a STOMP client of the test's own, which must have left before this server is disposed.</summary>
    public Task ServeAsync(WebSocket socket, IWire wire, IConnectionLifetimeFeature lifetime) =>
        ServeAsync(socket, wire, lifetime, (context, connection) => new StompSession(context, connection, bearer: null));

    /// <summary>A client of the raw relay.</summary>
    public TestClient OpenRaw()
    {
        var (socket, transport, session) = Start((context, connection) => new RawSession(context, connection));
        return new TestClient(socket, transport, session);
    }

    /// <summary>Moves the clock, and lets the session clock tick as often as it would.</summary>
    public void Advance(TimeSpan by)
    {
        for (var left = by; left > TimeSpan.Zero; left -= SessionClock.Period)
        {
            Time.Advance(left < SessionClock.Period ? left : SessionClock.Period);
            _clock.Turn();
        }
    }

    /// <summary>The name of a connection is this one's, a point, and how many came before it, with it.</summary>
    public string Node => _node.Value;

    /// <summary>The process stands still for so long after a tick of the session clock, which ticks once when it goes on.</summary>
    public void Pause(TimeSpan by)
    {
        _clock.Turn();
        Time.Advance(by);
        _clock.Turn();
    }

    /// <summary>Connections, open or gone, for which nothing waits.</summary>
    public int IdleOutboxes => _connections.Count(connection => connection.Outbox.IsIdle);

    /// <summary>Bytes of answers that wait for clients.</summary>
    public int AnswersOwed => _connections.Sum(connection => connection.Outbox.Answers);

    /// <summary>Bytes that connections have of <see cref="RelayOptions.SentBytesTotal"/>.</summary>
    public long SentTaken => _context.SentBudget.Taken;

    /// <summary>Bytes that connections have of <see cref="RelayOptions.OutboxBytesTotal"/>.</summary>
    public long OutboxTaken => _context.OutboxBudget.Taken;

    /// <summary>
    /// Completes when what the clients have got is counted too: a writer goes on for a moment after its bytes have arrived.
    /// </summary>
    public Task RestAsync() => Waiting.UntilAsync(() => _connections.All(connection => connection.Outbox.IsIdle));

    /// <summary>Completes when the server has noted that a client does not take what is being written.</summary>
    public Task StallNotedAsync() => Waiting.UntilAsync(() => _connections.Any(connection => connection.WaitsSince is not null));

    /// <summary>Changes when something of a client was read, if only a PONG.</summary>
    public long Reads => _connections.Sum(connection => connection.Stream.Reads);

    /// <summary>Sessions that the session clock is going to look at.</summary>
    public int Scheduled => _context.Wheel.Scheduled<Session>();

    /// <summary>Cuts what is still open; every session must end.</summary>
    public async ValueTask DisposeAsync()
    {
        foreach (var (transport, _) in _sessions)
            transport.Dispose();
        await Task.WhenAll(_sessions.Select(session => session.Session)).Patiently();
        _clock.Dispose();
        _step.Dispose();
    }

    private (WebSocket Socket, MemoryTransport Transport, Task Session) Start(Func<RelayContext, Connection, Session> create)
    {
        var (server, client) = MemoryTransport.CreatePair();
        var session = RunAsync(server, create);
        _sessions.Add((server, session));
        var options = new WebSocketCreationOptions { IsServer = false, KeepAliveInterval = Timeout.InfiniteTimeSpan };
        return (WebSocket.CreateFromStream(client, options), server, session);
    }

    private async Task RunAsync(MemoryTransport transport, Func<RelayContext, Connection, Session> create)
    {
        var corked = new CorkedStream(transport);
        var options = new WebSocketCreationOptions { IsServer = true, KeepAliveInterval = Timeout.InfiniteTimeSpan };
        using var socket = WebSocket.CreateFromStream(corked, options);
        await ServeAsync(socket, corked, new Lifetime(transport), create);
    }

    private async Task ServeAsync(
        WebSocket socket, IWire wire, IConnectionLifetimeFeature lifetime, Func<RelayContext, Connection, Session> create)
    {
        using var connection = new Connection(_context, socket, wire, _node.NextConnectionId(), System.Net.IPAddress.Loopback);
        _connections.Enqueue(connection);
        Assert.Null(_context.Counts.TryEnter(connection.Address));
        await Connections.RunAsync(create(_context, connection), lifetime);
    }

    private sealed class Lifetime(MemoryTransport transport) : IConnectionLifetimeFeature
    {
        public CancellationToken ConnectionClosed { get; set; }

        public void Abort() => transport.Dispose();
    }

    /// <summary>The log of the server.</summary>
    public sealed class RecordingLog : ILogger<RelayContext>
    {
        private readonly List<string> _errors = [];
        private readonly List<string> _lines = [];

        /// <summary>All of it.</summary>
        public IReadOnlyList<string> Lines
        {
            get
            {
                lock (_errors)
                    return [.. _lines];
            }
        }

        /// <summary>At level Error or above: in all but a few tests, nothing.</summary>
        public IReadOnlyList<string> Errors
        {
            get
            {
                lock (_errors)
                    return [.. _errors];
            }
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            lock (_errors)
            {
                _lines.Add($"{formatter(state, exception)} {exception}");
                if (logLevel >= LogLevel.Error)
                    _errors.Add($"{formatter(state, exception)} {exception}");
            }
        }
    }
}
