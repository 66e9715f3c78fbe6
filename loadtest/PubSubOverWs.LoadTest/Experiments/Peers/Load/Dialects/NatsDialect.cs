using System.Buffers.Text;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;

/// <summary>
/// The client protocol of NATS, which is text, in binary WebSocket messages (docs.nats.io, "Client Protocol"). A client gets what it
/// publishes itself.
/// </summary>
internal sealed class NatsDialect : IDialect
{
    private static ReadOnlySpan<byte> LineEnd => "\r\n"u8;

    public string Path => "/";

    public string? SubProtocol => null;

    public byte[] Pong { get; } = Frame("PONG\r\n");

    /// <summary>The PONG to its PING is the answer.</summary>
    public byte[] Connect(ClientTarget target)
    {
        var user = target.Access is { Login: { } login, Passcode: { } passcode }
            ? $",\"user\":\"{login}\",\"pass\":\"{passcode.Value}\""
            : "";
        return Frame(
            """CONNECT {"verbose":false,"pedantic":false,"lang":"csharp","version":"1","protocol":1""" + user + "}\r\nPING\r\n");
    }

    /// <inheritdoc cref="Connect"/>
    public byte[] Subscribe(string destination) => Frame($"SUB {destination} 1\r\nPING\r\n");

    public FrameTrain Train(int connection, string destination, ReadOnlySpan<byte> body, int count) =>
        new(Opcodes.Binary, [.. Encoding.ASCII.GetBytes($"PUB {destination} {body.Length}\r\n"), .. body, .. LineEnd], count);

    public Heard Read(ReadOnlySpan<byte> payload, out int consumed, out ReadOnlySpan<byte> body)
    {
        consumed = 0;
        body = default;
        var end = payload.IndexOf(LineEnd);
        if (end < 0)
            return Heard.Nothing;
        var line = payload[..end];
        if (line.StartsWith("MSG "u8))
            return ReadMessage(payload, line, out consumed, out body);
        if (line.StartsWith("-ERR"u8))
            throw new InvalidDataException(Encoding.UTF8.GetString(line));
        consumed = end + LineEnd.Length;
        return line.SequenceEqual("PONG"u8) ? Heard.Answer : line.SequenceEqual("PING"u8) ? Heard.Ping : Heard.Other;
    }

    // MSG <subject> <sid> [reply-to] <#bytes>, then the body and a line end.
    private static Heard ReadMessage(ReadOnlySpan<byte> payload, ReadOnlySpan<byte> line, out int consumed, out ReadOnlySpan<byte> body)
    {
        consumed = 0;
        body = default;
        var digits = line[(line.LastIndexOf((byte)' ') + 1)..];
        if (!Utf8Parser.TryParse(digits, out int bytes, out var used) || used != digits.Length || bytes < 0)
            throw new InvalidDataException($"a MSG without a length: {Encoding.UTF8.GetString(line)}");
        var start = line.Length + LineEnd.Length;
        if (payload.Length < start + bytes + LineEnd.Length)
            return Heard.Nothing;
        body = payload.Slice(start, bytes);
        consumed = start + bytes + LineEnd.Length;
        return Heard.Message;
    }

    private static byte[] Frame(string text) => ClientFrames.Write(Opcodes.Binary, Encoding.ASCII.GetBytes(text), mask: 0);
}
