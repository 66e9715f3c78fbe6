namespace PubSubOverWs.Relay;

/// <summary>
/// What lies below a WebSocket here: <see cref="CorkedStream"/> below the framework's, and <see cref="LeanSocket"/> itself.
/// </summary>
internal interface IWire
{
    /// <summary>Set by the single writer of messages: while true, what it sends is kept, and leaves with the first message after.</summary>
    bool Corked { get; set; }

    /// <summary>Bytes have come that no receive has returned yet: the next receive does not wait.</summary>
    bool HasBuffered { get; }

    /// <summary>
    /// Awaited when more than 4 KiB have come without data, which only control frames cause. The argument is <see cref="TakeRead"/>.
    /// </summary>
    Func<int, ValueTask>? OnControlTraffic { get; set; }

    /// <summary>How many bytes came since this was asked last: payload, framing, control frames.</summary>
    int TakeRead();

    /// <summary>Bytes handed to the transport since the upgrade: payload, STOMP and WebSocket framing, control frames.</summary>
    long BytesOut { get; }
}
