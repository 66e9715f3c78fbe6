using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;

/// <summary>An echo: what is sent comes back, body by body.</summary>
/// <param name="bodyBytes">Of every message.</param>
internal sealed class EchoDialect(int bodyBytes) : IDialect
{
    public string Path => ClientTarget.Path;

    public string? SubProtocol => null;

    /// <summary>A message that comes back: the connection passes bytes in both directions.</summary>
    public byte[] Connect(ClientTarget target) => ClientFrames.Write(Opcodes.Text, new byte[bodyBytes], mask: 0);

    public byte[] Subscribe(string destination) => [];

    public FrameTrain Train(int connection, string destination, ReadOnlySpan<byte> body, int count) => new(Opcodes.Text, body, count);

    public Heard Read(ReadOnlySpan<byte> payload, out int consumed, out ReadOnlySpan<byte> body)
    {
        var isWhole = payload.Length >= bodyBytes;
        consumed = isWhole ? bodyBytes : 0;
        body = payload[..consumed];
        return isWhole ? Heard.Message : Heard.Nothing;
    }
}

/// <summary>A subscriber of nchan: the address of the handshake is its subscription, and it is never sent anything.</summary>
internal sealed class NchanDialect : IDialect
{
    public string Path => ClientTarget.Path;

    public string? SubProtocol => null;

    public byte[] Connect(ClientTarget target) => [];

    public byte[] Subscribe(string destination) => [];

    public FrameTrain Train(int connection, string destination, ReadOnlySpan<byte> body, int count) => new(Opcodes.Text, body, count);

    public Heard Read(ReadOnlySpan<byte> payload, out int consumed, out ReadOnlySpan<byte> body)
    {
        body = payload;
        consumed = payload.Length;
        return payload.IsEmpty ? Heard.Nothing : Heard.Other;
    }
}
