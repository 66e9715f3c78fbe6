namespace PubSubOverWs.Stomp;

/// <summary>The commands of STOMP 1.0 to 1.2. Client frames first, server frames from <see cref="Connected"/> on.</summary>
public enum StompCommand
{
    /// <summary>Opens a session; its headers are never escaped.</summary>
    Connect,

    /// <summary>The same as <see cref="Connect"/>, since 1.1, so that a port can tell the protocol by its first octets.</summary>
    Stomp,

    /// <summary>Publishes its body to a destination.</summary>
    Send,

    /// <summary>Asks for the messages of a destination.</summary>
    Subscribe,

    /// <summary>Ends a subscription.</summary>
    Unsubscribe,

    /// <summary>Takes responsibility for a message.</summary>
    Ack,

    /// <summary>Gives a message back; since 1.1.</summary>
    Nack,

    /// <summary>Starts a transaction.</summary>
    Begin,

    /// <summary>Does what the transaction holds, as one.</summary>
    Commit,

    /// <summary>Drops what the transaction holds.</summary>
    Abort,

    /// <summary>Ends a session; with a receipt, when all before it has its outcome.</summary>
    Disconnect,

    /// <summary>Answers a CONNECT; its headers are never escaped.</summary>
    Connected,

    /// <summary>Brings the body of a SEND to a subscription.</summary>
    Message,

    /// <summary>Answers a frame that had a <c>receipt</c> header.</summary>
    Receipt,

    /// <summary>Says what was wrong; the connection closes after it.</summary>
    Error,
}

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
