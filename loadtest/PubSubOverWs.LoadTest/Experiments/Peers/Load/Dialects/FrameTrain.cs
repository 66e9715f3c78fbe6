using System.Buffers;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;

/// <summary>
/// Messages in a row, built once and sent again and again: only the digits of their numbers change. They are masked with zero, so that the
/// digits can be written in place; a server unmasks them all the same.
/// </summary>
public sealed class FrameTrain
{
    /// <summary>The place of a number in a message.</summary>
    public const string Digits = "0000000000";

    private readonly byte[] _frames;
    private readonly int _length;
    private readonly int _digits;
    private long _sent;

    /// <summary>Of SEND frames, whose numbers are in their ids, or in the body if it has a place for them.</summary>
    /// <param name="connection">Makes the ids unique over all connections.</param>
    /// <param name="destination">Where to.</param>
    /// <param name="body">Of every frame.</param>
    /// <param name="count">The most frames that <see cref="Next"/> can give at once.</param>
    public FrameTrain(int connection, string destination, ReadOnlySpan<byte> body, int count)
        : this(Opcodes.Text, Write(connection, destination, body), count)
    {
    }

    /// <param name="opcode">Of the WebSocket messages.</param>
    /// <param name="payload">Of each of them.</param>
    /// <param name="count">The most frames that <see cref="Next"/> can give at once.</param>
    public FrameTrain(byte opcode, ReadOnlySpan<byte> payload, int count)
    {
        var message = ClientFrames.Write(opcode, payload, mask: 0);
        _length = message.Length;
        _digits = message.AsSpan().LastIndexOf(System.Text.Encoding.ASCII.GetBytes(Digits));
        _frames = new byte[_length * count];
        for (var i = 0; i < count; i++)
            message.CopyTo(_frames, i * _length);
    }

    /// <summary>The next <paramref name="count"/> WebSocket frames, numbered on from 1. Valid until the next call.</summary>
    public ReadOnlySpan<byte> Next(int count)
    {
        for (var i = 0; i < count && _digits >= 0; i++)
            (++_sent).TryFormat(_frames.AsSpan(i * _length + _digits, Digits.Length), out _, "D10", CultureInfo.InvariantCulture);
        return _frames.AsSpan(0, count * _length);
    }

    private static byte[] Write(int connection, string destination, ReadOnlySpan<byte> body)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new StompWriter(output, StompVersion.V12);
        writer.Begin(StompCommand.Send);
        writer.Header(StompNames.Destination, destination);
        writer.Header(StompNames.Id, $"{connection:d5}-{Digits}");
        writer.Header(StompNames.ContentLength, body.Length);
        writer.End(body);
        return output.WrittenSpan.ToArray();
    }
}
