using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Relay;

/// <summary>Settings that both servers share, section <c>Relay</c>. The arms of an experiment run with the same values.</summary>
public sealed class RelayOptions
{
    /// <summary>Largest message body, in bytes. 1 to 716,800 (700 KiB: what fits the queue's 1 MiB in base64 within an envelope).</summary>
    [Range(1, 716_800)]
    public int MaxMessageBytes { get; set; } = 65_536;

    /// <summary>Most headers in one STOMP frame. 1 to 1,000.</summary>
    [Range(1, 1_000)]
    public int MaxHeaders { get; set; } = 64;

    /// <summary>Most bytes in the headers of one STOMP frame. 256 to 65,536.</summary>
    [Range(256, 65_536)]
    public int MaxHeaderBytes { get; set; } = 8_192;

    /// <summary>
    /// Most frames waiting in one connection's outbox. 1 to 1,000,000. Full: the message is shed (direct) or stays held (pubsub).
    /// </summary>
    [Range(1, 1_000_000)]
    public int OutboxFrames { get; set; } = 1_000;

    /// <summary>
    /// Most bytes of bodies, ids and headers waiting in one connection's outbox, as in memory. 1 KiB to 1 GiB; one message always fits an
    /// empty outbox.
    /// </summary>
    [Range(1_024, 1_073_741_824)]
    public int OutboxBytes { get; set; } = 4_194_304;

    /// <summary>
    /// Most memory that all outboxes together may take, in bytes, with 256 bytes for each message: 4 MiB to 64 GiB. The first 16 KiB of
    /// each connection do not count. No connection may have more of it than is still free (<see cref="Budget"/>); beyond that it counts
    /// as full.
    /// </summary>
    [Range(1L << 22, 1L << 36)]
    public long OutboxBytesTotal { get; set; } = 256 << 20;

    /// <summary>
    /// Most memory that unacknowledged messages of all connections together may take, counted and shared as in
    /// <see cref="OutboxBytesTotal"/>: 4 MiB to 64 GiB. A connection at its share is given nothing until it, or another one, acknowledges.
    /// </summary>
    [Range(1L << 22, 1L << 36)]
    public long UnacknowledgedBytesTotal { get; set; } = 256 << 20;

    /// <summary>
    /// Most messages of its topic that may wait for one subscription without room, in a server that keeps them (pubsub, or direct with a
    /// buffer): 0 (none) to 1,000,000. Beyond it the subscription misses messages, and is told.
    /// </summary>
    [Range(0, 1_000_000)]
    public int TopicBacklog { get; set; } = 1_000;

    /// <summary>Most bytes of them, counted as in an outbox with 256 bytes for each message: 1 KiB to 1 GiB.</summary>
    [Range(1_024, 1_073_741_824)]
    public int TopicBacklogBytes { get; set; } = 4_194_304;

    /// <summary>
    /// Most bytes of them for all connections together, 1 MiB to 64 GiB; no connection has more of it than is left for the others.
    /// </summary>
    [Range(1L << 20, 1L << 36)]
    public long TopicBacklogBytesTotal { get; set; } = 64 << 20;

    /// <summary>
    /// Most memory that the server may keep of what all clients together sent, counted and shared as in <see cref="OutboxBytesTotal"/>:
    /// open transactions, publishes under way with their receipts, receipts behind more than 32 KiB of others, subscriptions with their
    /// names, incomplete frames. 4 MiB to 64 GiB. A connection at its share is not read until it, or another one, has less; its BEGIN,
    /// SUBSCRIBE and frames of a transaction are answered with ERROR.
    /// </summary>
    [Range(1L << 22, 1L << 36)]
    public long SentBytesTotal { get; set; } = 256 << 20;

    /// <summary>The policy for a connection with a full outbox, or a missed topic message: <c>Wait</c> or <c>Disconnect</c>.</summary>
    public SlowConsumer SlowConsumer { get; set; } = SlowConsumer.Wait;

    /// <summary>
    /// How long a connection may make no write progress while messages wait for it, before it is cut. 0 (for ever), or 1 s to 1 h.
    /// </summary>
    [OffOrFrom("00:00:01", "01:00:00")]
    public TimeSpan SlowConsumerTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Messages a second that one connection may send, 0 (any) to 1,000,000, and one second's worth at once. Beyond that its socket is not
    /// read.
    /// </summary>
    [Range(0, 1_000_000)]
    public int MaxMessagesPerSecond { get; set; }

    /// <summary>
    /// Bytes a second that one connection may send, 0 (any) to 1 GiB, and one second's worth at once. Beyond that its socket is not read.
    /// </summary>
    [Range(0, 1 << 30)]
    public int MaxBytesPerSecond { get; set; }

    /// <summary>
    /// Messages a second that all connections of one address together may send, 0 (any) to 1,000,000, and one second's worth at once.
    /// Beyond that their sockets are not read.
    /// </summary>
    [Range(0, 1_000_000)]
    public int MaxMessagesPerSecondPerAddress { get; set; }

    /// <summary>
    /// Bytes a second that all connections of one address together may send, 0 (any) to 1 GiB, and one second's worth at once. Beyond that
    /// their sockets are not read.
    /// </summary>
    [Range(0, 1 << 30)]
    public int MaxBytesPerSecondPerAddress { get; set; }

    /// <summary>
    /// Most connections of this server, 0 (any) to 1,000,000. More are refused at the handshake (503). The bound on the server's memory
    /// grows with it.
    /// </summary>
    [Range(0, 1_000_000)]
    public int MaxConnections { get; set; } = 20_000;

    /// <summary>Most connections from one address, 0 (any) to 1,000,000. More are refused at the handshake (429).</summary>
    [Range(0, 1_000_000)]
    public int MaxConnectionsPerAddress { get; set; }

    /// <summary>
    /// Most TCP connections that are not, or not yet, WebSockets: in their handshake, or asking for health or statistics. 0 (any) to
    /// 1,000,000; more are closed at once.
    /// </summary>
    [Range(0, 1_000_000)]
    public int MaxHttpConnections { get; set; }

    /// <summary>
    /// Connections that the system may hold until the server takes them, 1 to 65,535. It may have a lower bound of its own (Linux:
    /// net.core.somaxconn).
    /// </summary>
    [Range(1, 65_535)]
    public int Backlog { get; set; } = 4_096;

    /// <summary>How long a client may take to begin its handshake, and again to send the rest of it. 1 s to 10 min.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:10:00")]
    public TimeSpan HandshakeTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How often a client that sends nothing gets a WebSocket PING. 0 (never), or 1 s to 1 h.</summary>
    [OffOrFrom("00:00:01", "01:00:00")]
    public TimeSpan KeepAlive { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>How long it may take to answer, before it is cut. 1 s to 1 h. Without meaning while <see cref="KeepAlive"/> is 0.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "01:00:00")]
    public TimeSpan KeepAliveTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How long a connection may pass nothing in either direction (heart-beats count, PING does not), before it is closed. 0 (for ever), or
    /// 1 s to 1 day.
    /// </summary>
    [OffOrFrom("00:00:01", "1.00:00:00")]
    public TimeSpan IdleTimeout { get; set; } = TimeSpan.Zero;

    /// <summary>
    /// Publishes of one connection whose outcome is not yet known; when all are taken its socket is not read. 1 to 10,000.
    /// </summary>
    [Range(1, 10_000)]
    public int PublishesUnderWay { get; set; } = 64;

    /// <summary>Most subscriptions of one connection. 1 to 100,000.</summary>
    [Range(1, 100_000)]
    public int MaxSubscriptions { get; set; } = 1_000;

    /// <summary>Default of a subscription's <c>prefetch-count</c>: messages it may hold unacknowledged. 1 to 100,000.</summary>
    [Range(1, 100_000)]
    public int PrefetchCount { get; set; } = 100;

    /// <summary>Most that a <c>prefetch-count</c> counts for: a larger one is taken as this. 1 to 100,000.</summary>
    [Range(1, 100_000)]
    public int MaxPrefetch { get; set; } = 1_000;

    /// <summary>Most open transactions of one connection. 1 to 1,000.</summary>
    [Range(1, 1_000)]
    public int MaxTransactions { get; set; } = 16;

    /// <summary>Most frames held by one transaction. 1 to 100,000. Together they take at most 1 MiB, as in the queue's envelope.</summary>
    [Range(1, 100_000)]
    public int MaxTransactionFrames { get; set; } = 1_000;

    /// <summary>The shortest heart-beat interval that the server offers, in both directions. 0 (off), or 500 ms to 1 h.</summary>
    [OffOrFrom("00:00:00.5", "01:00:00")]
    public TimeSpan HeartBeat { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a STOMP client may take to send CONNECT. 1 s to 10 min.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:10:00")]
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How long a closing connection may take to flush its frames and to answer the close frame, before it is cut. 100 ms to 1 min.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:01:00")]
    public TimeSpan CloseTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// How WebSockets are served: <c>Framework</c>, by those of ASP.NET Core, or <c>Lean</c>, on the bytes of the connection, which takes
    /// less CPU and memory (docs/decisions/0185).
    /// </summary>
    public FrontEnd FrontEnd { get; set; } = FrontEnd.Framework;

    /// <summary>A step that is slow on purpose, for experiments with overload.</summary>
    public DeliveryOptions Delivery { get; set; } = new();
}

/// <summary>The policy for a message that finds its subscriber's outbox full (docs/decisions/0117).</summary>
public enum SlowConsumer
{
    /// <summary>
    /// The message finds no room: the pubsub server keeps it, the direct server tells its publisher (receipt <c>shed</c>) and counts it.
    /// </summary>
    Wait,

    /// <summary>As <see cref="Wait"/>; the subscriber also gets an ERROR and is disconnected.</summary>
    Disconnect,
}

/// <summary>How WebSockets are served (docs/decisions/0185).</summary>
public enum FrontEnd
{
    /// <summary>By the WebSockets of ASP.NET Core, each on an HTTP request that lasts as long.</summary>
    Framework,

    /// <summary>On the bytes of the connection, by framing of our own, on the threads that are told of bytes.</summary>
    Lean,
}

/// <summary>Off (0), or a time between two bounds.</summary>
/// <param name="min">As TimeSpan writes it, as <paramref name="max"/>.</param>
[AttributeUsage(AttributeTargets.Property)]
public sealed class OffOrFromAttribute(string min, string max)
    : ValidationAttribute($"The field {{0}} must be 0 (off) or between {min} and {max}.")
{
    public override bool IsValid(object? value) =>
        value is TimeSpan time && (time == TimeSpan.Zero || (time >= TimeSpan.Parse(min, null) && time <= TimeSpan.Parse(max, null)));
}

/// <summary>
/// A step that is slow on purpose, where a message goes to its subscribers, section <c>Relay:Delivery</c>: for experiments with a server
/// that gets more than it can deliver, which is then exactly <see cref="AtATime"/> / <see cref="Cost"/>. Off by default.
/// </summary>
public sealed class DeliveryOptions
{
    /// <summary>How long delivering one message takes, however many subscribers of a topic get a copy. 0 (off: no step) to 1 min.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:01:00")]
    public TimeSpan Cost { get; set; } = TimeSpan.Zero;

    /// <summary>
    /// Messages that may be in the step at the same time, 1 to 1,000,000; the next one finds no room. Without meaning while
    /// <see cref="Cost"/> is 0.
    /// </summary>
    [Range(1, 1_000_000)]
    public int AtATime { get; set; } = 1;
}
