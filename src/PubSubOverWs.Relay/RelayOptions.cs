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

    /// <summary>Most octets in the headers of one STOMP frame. 256 to 65,536.</summary>
    [Range(256, 65_536)]
    public int MaxHeaderBytes { get; set; } = 8_192;

    /// <summary>Most frames waiting in one connection's outbox. 1 to 1,000,000. Full: the message is shed (direct) or stays held (pubsub).</summary>
    [Range(1, 1_000_000)]
    public int OutboxFrames { get; set; } = 1_000;

    /// <summary>Most message bytes waiting in one connection's outbox. 1 KiB to 1 GiB; one message always fits an empty outbox.</summary>
    [Range(1_024, 1_073_741_824)]
    public int OutboxBytes { get; set; } = 4_194_304;

    /// <summary>Publishes of one connection whose outcome is not yet known; when all are taken its socket is not read. 1 to 10,000.</summary>
    [Range(1, 10_000)]
    public int PublishesUnderWay { get; set; } = 64;

    /// <summary>Most subscriptions of one connection. 1 to 100,000.</summary>
    [Range(1, 100_000)]
    public int MaxSubscriptions { get; set; } = 1_000;

    /// <summary>Default of a subscription's <c>prefetch-count</c>: messages it may hold unacknowledged. 1 to 100,000.</summary>
    [Range(1, 100_000)]
    public int PrefetchCount { get; set; } = 100;

    /// <summary>Most open transactions of one connection. 1 to 1,000.</summary>
    [Range(1, 1_000)]
    public int MaxTransactions { get; set; } = 16;

    /// <summary>Most frames held by one transaction. 1 to 100,000. Their bodies together are at most 1 MiB, as in the queue's envelope.</summary>
    [Range(1, 100_000)]
    public int MaxTransactionFrames { get; set; } = 1_000;

    /// <summary>The shortest heart-beat interval that the server offers, in both directions. 0 (off), or 500 ms to 1 h.</summary>
    [HeartBeatRange]
    public TimeSpan HeartBeat { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a STOMP client may take to send CONNECT. 1 s to 10 min.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:10:00")]
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a closing connection may take to flush what it was given and to say goodbye, before it is cut. 100 ms to 1 min.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:01:00")]
    public TimeSpan CloseTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>A step that is slow on purpose, for experiments with overload.</summary>
    public DeliveryOptions Delivery { get; set; } = new();
}
