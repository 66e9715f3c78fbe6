using System.Buffers.Binary;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;

/// <summary>
/// MQTT 3.1.1 in binary WebSocket messages (OASIS, "MQTT Version 3.1.1", sections 2 and 6): QoS 0, a clean session, no keep-alive, and a
/// client id that the server chooses. A client gets what it publishes itself.
/// </summary>
internal sealed class MqttDialect : IDialect
{
    private const byte ConnectPacket = 0x10;
    private const byte ConnectAnswer = 0x20;
    private const byte PublishPacket = 0x30;
    private const byte SubscribePacket = 0x82;
    private const byte SubscribeAnswer = 0x90;
    private const byte KindBits = 0xF0;
    private const byte CleanSession = 0x02;
    private const byte Version311 = 4;
    private const byte Refused = 0x80;
    private const int LongestLength = 4;

    public string Path => "/mqtt";

    public string? SubProtocol => "mqtt";

    public byte[] Connect(ClientTarget target) =>
        Frame([.. Packet(ConnectPacket, [.. Text("MQTT"), Version311, CleanSession, 0, 0, .. Text("")])]);

    /// <summary>With 1 as the packet's identifier, and QoS 0.</summary>
    public byte[] Subscribe(string destination) => Frame(Packet(SubscribePacket, [0, 1, .. Text(destination), 0]));

    public FrameTrain Train(int connection, string destination, ReadOnlySpan<byte> body, int count) =>
        new(Opcodes.Binary, Packet(PublishPacket, [.. Text(destination), .. body]), count);

    public Heard Read(ReadOnlySpan<byte> payload, out int consumed, out ReadOnlySpan<byte> body)
    {
        consumed = 0;
        body = default;
        if (!TryReadLength(payload, out var length, out var header) || payload.Length < header + length)
            return Heard.Nothing;
        consumed = header + length;
        var rest = payload.Slice(header, length);
        switch (payload[0] & KindBits)
        {
            case PublishPacket:
                body = rest[(sizeof(ushort) + BinaryPrimitives.ReadUInt16BigEndian(rest))..];
                return Heard.Message;
            case ConnectAnswer when rest[^1] == 0:
            case SubscribeAnswer when rest[^1] < Refused:
                return Heard.Answer;
            default:
                throw new InvalidDataException($"an MQTT packet that was not expected: {Convert.ToHexString(payload[..consumed])}");
        }
    }

    // Section 2.2.3: seven bits in each byte, the low ones first; the eighth says that another follows.
    private static bool TryReadLength(ReadOnlySpan<byte> packet, out int length, out int header)
    {
        length = 0;
        for (header = 1; header < packet.Length && header <= LongestLength; header++)
        {
            length |= (packet[header] & 0x7F) << (7 * (header - 1));
            if (packet[header] < 0x80)
                return ++header > 0;
        }

        return header > LongestLength ? throw new InvalidDataException("an MQTT packet whose length has more than four bytes") : false;
    }

    private static byte[] Packet(byte kind, byte[] rest)
    {
        List<byte> packet = [kind];
        var length = rest.Length;
        do
        {
            packet.Add((byte)((length & 0x7F) | (length > 0x7F ? 0x80 : 0)));
            length >>= 7;
        }
        while (length > 0);
        return [.. packet, .. rest];
    }

    private static byte[] Text(string text) => [(byte)(text.Length >> 8), (byte)text.Length, .. Encoding.ASCII.GetBytes(text)];

    private static byte[] Frame(byte[] packet) => ClientFrames.Write(Opcodes.Binary, packet, mask: 0);
}
