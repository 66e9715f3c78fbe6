namespace PubSubOverWs.Relay;

/// <summary>
/// What lies below a WebSocket here: <see cref="CorkedStream"/> below the framework's, and <see cref="LeanSocket"/> itself.
/// </summary>
internal interface IWire
{
    /// <summary>
    /// Frames that leave in place of the next message that is sent, in one write; null: none. Set by the single writer of messages, which
    /// then sends an empty one: it keeps the order of writes, and comes too late after a close frame as any other. The writer's: no longer
    /// used once that send has completed.
    /// </summary>
    FrameList? Instead { get; set; }

    /// <summary>Changes whenever bytes of the client were read, if only a PONG.</summary>
    long Reads { get; }

    /// <summary>Bytes have come that no receive has returned yet: the next receive does not wait.</summary>
    bool HasBuffered { get; }

    /// <summary>The single writer of messages, and the only reader; null: nobody is told anything.</summary>
    IWireOwner? Owner { get; set; }

    /// <summary>How many bytes came since this was asked last: payload, framing, control frames.</summary>
    int TakeRead();

    /// <summary>Bytes handed to the transport since the upgrade: payload, STOMP and WebSocket framing, control frames.</summary>
    long BytesOut { get; }
}

/// <summary>Who reads a wire's messages and writes them.</summary>
internal interface IWireOwner
{
    /// <summary>
    /// What is being sent is in <see cref="IWire.BytesOut"/>, and none of it has left: what is counted now is counted before a client can
    /// have it. Not called for what is refused, because the close frame went before. Must only count.
    /// </summary>
    void OnLeaving();

    /// <summary>Awaited when more than 4 KiB have come without data, which only control frames cause.</summary>
    /// <param name="bytes">From <see cref="IWire.TakeRead"/>.</param>
    ValueTask OnControlTrafficAsync(int bytes);
}
