using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;

/// <summary>What one client says in its WebSocket messages, and how it understands what comes back.</summary>
internal interface IDialect
{
    /// <summary>Of the handshake, such as <c>/ws</c>.</summary>
    string Path { get; }

    /// <summary>Asked for in the handshake; null: none.</summary>
    string? SubProtocol { get; }

    /// <summary>The WebSocket frame that answers <see cref="Heard.Ping"/>.</summary>
    byte[] Pong => [];

    /// <summary>WebSocket frames that open a session, and are answered; empty: the handshake has opened it.</summary>
    byte[] Connect(ClientTarget target);

    /// <summary>WebSocket frames that subscribe, and are answered; empty: what is sent comes back to its sender.</summary>
    byte[] Subscribe(string destination);

    /// <summary>Messages to a destination.</summary>
    /// <param name="connection">Distinct among the clients of a leg.</param>
    /// <param name="destination">Where to.</param>
    /// <param name="body">Numbered, if <see cref="FrameTrain.Digits"/> is in it.</param>
    /// <param name="count">The most at once.</param>
    FrameTrain Train(int connection, string destination, ReadOnlySpan<byte> body, int count);

    /// <summary>Reads what stands first in the payload of WebSocket messages, in which it may begin and end anywhere.</summary>
    /// <param name="payload">All that has come and was not consumed.</param>
    /// <param name="consumed">Bytes that are not needed any more.</param>
    /// <param name="body">Of <see cref="Heard.Message"/>.</param>
    /// <exception cref="InvalidDataException">An error of the server, or nothing that it may say; the message is what it said.</exception>
    Heard Read(ReadOnlySpan<byte> payload, out int consumed, out ReadOnlySpan<byte> body);
}

/// <summary>What a client reads.</summary>
internal enum Heard
{
    /// <summary>It is not whole: more bytes are needed.</summary>
    Nothing,

    /// <summary>The answer to what opens a session, or subscribes.</summary>
    Answer,

    Message,

    /// <summary>To be answered.</summary>
    Ping,

    /// <summary>Of no interest.</summary>
    Other,
}

/// <summary>STOMP 1.2, as the servers of this repository speak it.</summary>
internal sealed class StompDialect : IDialect
{
    private static readonly StompLimits Limits = new() { MaxBodyBytes = 1 << 20 };

    private readonly StompReader _reader = new(Limits);

    public string Path => ClientTarget.Path;

    public string? SubProtocol => ClientTarget.SubProtocol;

    public byte[] Connect(ClientTarget target) => target.ConnectFrame.ToArray();

    public byte[] Subscribe(string destination) => StompMessages.Subscribe("s", destination);

    public FrameTrain Train(int connection, string destination, ReadOnlySpan<byte> body, int count) =>
        new(connection, destination, body, count);

    public Heard Read(ReadOnlySpan<byte> payload, out int consumed, out ReadOnlySpan<byte> body)
    {
        body = default;
        if (!_reader.TryRead(payload, out var frame, out consumed))
            return Heard.Nothing;
        body = frame.Body;
        return frame.Command switch
        {
            StompCommand.Message => Heard.Message,
            StompCommand.Connected or StompCommand.Receipt => Heard.Answer,
            _ => throw new InvalidDataException($"{frame.Command} {frame.GetString(StompNames.Message)}".TrimEnd()),
        };
    }
}
