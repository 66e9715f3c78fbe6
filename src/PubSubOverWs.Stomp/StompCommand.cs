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
