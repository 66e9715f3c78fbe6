namespace PubSubOverWs.Stomp;

/// <summary>The header names that the protocol defines, as UTF-8.</summary>
public static class StompNames
{
    public static ReadOnlySpan<byte> AcceptVersion => "accept-version"u8;
    public static ReadOnlySpan<byte> Ack => "ack"u8;
    public static ReadOnlySpan<byte> ContentLength => "content-length"u8;
    public static ReadOnlySpan<byte> ContentType => "content-type"u8;
    public static ReadOnlySpan<byte> Destination => "destination"u8;
    public static ReadOnlySpan<byte> HeartBeat => "heart-beat"u8;
    public static ReadOnlySpan<byte> Host => "host"u8;
    public static ReadOnlySpan<byte> Id => "id"u8;
    public static ReadOnlySpan<byte> Login => "login"u8;
    public static ReadOnlySpan<byte> Message => "message"u8;
    public static ReadOnlySpan<byte> MessageId => "message-id"u8;

    /// <summary>Not of the specification: how many messages of a topic the subscription missed directly before this MESSAGE.</summary>
    public static ReadOnlySpan<byte> Missed => "missed"u8;
    public static ReadOnlySpan<byte> Passcode => "passcode"u8;

    /// <summary>Not of the specification: how many messages may be unacknowledged at a time, as RabbitMQ names it.</summary>
    public static ReadOnlySpan<byte> PrefetchCount => "prefetch-count"u8;
    public static ReadOnlySpan<byte> Receipt => "receipt"u8;
    public static ReadOnlySpan<byte> ReceiptId => "receipt-id"u8;

    /// <summary>Not of the specification: <c>true</c> on a MESSAGE that is not delivered for the first time.</summary>
    public static ReadOnlySpan<byte> Redelivered => "redelivered"u8;
    public static ReadOnlySpan<byte> Server => "server"u8;
    public static ReadOnlySpan<byte> Session => "session"u8;
    public static ReadOnlySpan<byte> Subscription => "subscription"u8;
    public static ReadOnlySpan<byte> Transaction => "transaction"u8;
    public static ReadOnlySpan<byte> Version => "version"u8;
}
