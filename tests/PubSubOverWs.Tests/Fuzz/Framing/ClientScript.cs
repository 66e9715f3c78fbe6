using System.Buffers.Binary;
using System.Net.WebSockets;

namespace PubSubOverWs.Tests.Fuzz.Framing;

/// <summary>
/// The bytes that a client sends after its handshake, and the answer that it must get: the frames are valid by RFC 6455, with at most one
/// violation at the end.
/// </summary>
internal sealed class ClientScript
{
    private const int LargestMessage = 65_536;

    private readonly Draw _draw;
    private readonly MemoryStream _bytes = new();

    public ClientScript(Draw draw)
    {
        _draw = draw;
        for (var left = draw.Below(4); left > 0; left--)
            Message();
        End();
    }

    public ReadOnlyMemory<byte> Bytes => _bytes.ToArray();

    /// <summary>Whole ones, and one that is cut.</summary>
    public int Frames { get; private set; }

    /// <summary>That come back, in order.</summary>
    public List<byte[]> Messages { get; } = [];

    public List<byte[]> Pongs { get; } = [];

    /// <summary>The status of the close frame that it must get; null: none is sent, or any.</summary>
    public int? Close { get; private set; }

    /// <summary>It ends with a close frame whose reason is not UTF-8.</summary>
    public bool IsReasonNoText { get; private set; }

    /// <summary>Whether it may also cut without a close frame.</summary>
    public bool MayCut { get; private set; }

    private void Message()
    {
        var isText = _draw.OneIn(2);
        var length = _draw.OneIn(25) ? _draw.Of(65_535, 65_536) : _draw.OneIn(3) ? _draw.Of(0, 1, 125, 126, 127) : _draw.Below(300);
        var payload = isText ? Text(length) : _draw.Bytes(length);
        Messages.Add(payload);
        Send(isText, payload, isLast: true);
    }

    private void Send(bool isText, ReadOnlySpan<byte> payload, bool isLast)
    {
        var opcode = isText ? 1 : 2;
        while (_draw.OneIn(2))
        {
            var length = _draw.Below(payload.Length + 1);
            Frame(opcode, payload[..length], isFinal: false);
            payload = payload[length..];
            opcode = 0;
            if (_draw.OneIn(3))
                Ping();
        }
        Frame(opcode, payload, isLast);
        if (_draw.OneIn(6))
            Ping();
        if (_draw.OneIn(9))
            Frame(10, _draw.Bytes(3));
    }

    private void Ping()
    {
        var payload = _draw.Bytes(_draw.Of(0, 1, 125));
        Pongs.Add(payload);
        Frame(9, payload);
    }

    private void End()
    {
        Close = (int)WebSocketCloseStatus.ProtocolError;
        switch (_draw.Below(17))
        {
            case < 4:
                Close = (int)WebSocketCloseStatus.NormalClosure;
                Frame(8, CloseBody(_draw.Of(1000, 1001, 1003, 1007, 1011, 3000, 4999), "bye"u8));
                break;
            case 4:
                Close = (int)WebSocketCloseStatus.NormalClosure;
                Frame(8, []);
                break;
            case 5:
                Frame(8, _draw.OneIn(2) ? [3] : CloseBody(_draw.Of(0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65535), []));
                break;
            case 6:
                Frame(_draw.Of(1, 2), _draw.Bytes(5), isMasked: false);
                break;
            case 7:
                Frame(_draw.Of(1, 2, 8, 9) | _draw.Of(0x10, 0x20, 0x40, 0x70), [1]);
                break;
            case 8:
                Frame(_draw.Of(3, 4, 5, 6, 7, 11, 12, 13, 14, 15), [1]);
                break;
            case 9:
                Frame(_draw.Of(8, 9, 10), _draw.Bytes(_draw.Of(126, 200, 65_536)));
                break;
            case 10:
                Frame(_draw.Of(8, 9, 10), [], isFinal: false);
                break;
            case 11:
                Frame(0, _draw.Bytes(_draw.Below(3)));
                break;
            case 12:
                Frame(1, "a"u8, isFinal: false);
                Frame(_draw.Of(1, 2), "b"u8);
                break;
            case 13:
                Close = (int)WebSocketCloseStatus.InvalidPayloadData;
                Send(isText: true, [.. Text(_draw.Below(40)), .. NoText()], isLast: true);
                break;
            case 14:
                Close = (int)WebSocketCloseStatus.MessageTooBig;
                Frame(2, new byte[LargestMessage + 1]);
                break;
            case 15:
                // RFC 6455, 8.1 would say 1007 here as well; .NET closes with 1002.
                IsReasonNoText = true;
                Frame(8, CloseBody(1000, [.. "bye"u8, .. NoText()]));
                break;
            default:
                Cut();
                break;
        }
    }

    // Too long to come, or a part of a frame and nothing more.
    private void Cut()
    {
        (Close, MayCut) = (null, true);
        if (_draw.OneIn(2))
        {
            Header(0x82, 127);
            var length = new byte[8];
            BinaryPrimitives.WriteUInt64BigEndian(length, _draw.Of(1UL << 63, ulong.MaxValue, (1UL << 63) - 1, 1UL << 40));
            _bytes.Write(length);
            _bytes.Write(_draw.Bytes(_draw.Below(30)));
            return;
        }
        var start = (int)_bytes.Length;
        Frame(2, _draw.Bytes(_draw.Between(1, 400)));
        _bytes.SetLength(start + _draw.Below((int)_bytes.Length - start));
    }

    private void Frame(int first, ReadOnlySpan<byte> payload, bool isFinal = true, bool isMasked = true)
    {
        var mask = isMasked ? 0x80 : 0;
        // RFC 6455, 5.2: a sender must take the shortest form. .NET takes longer ones too, and so they change nothing.
        var width = Math.Max(payload.Length < 126 ? 0 : payload.Length < 65_536 ? 2 : 8, _draw.OneIn(8) ? _draw.Of(2, 8) : 0);
        Header((isFinal ? 0x80 : 0) | first, mask | (width == 0 ? payload.Length : width == 2 ? 126 : 127));
        Span<byte> length = stackalloc byte[8];
        BinaryPrimitives.WriteUInt64BigEndian(length, (ulong)payload.Length);
        _bytes.Write(length[^width..]);
        var key = isMasked ? _draw.Bytes(4) : [0, 0, 0, 0];
        _bytes.Write(isMasked ? key : []);
        for (var i = 0; i < payload.Length; i++)
            _bytes.WriteByte((byte)(payload[i] ^ key[i % 4]));
    }

    private void Header(int first, int second)
    {
        Frames++;
        _bytes.WriteByte((byte)first);
        _bytes.WriteByte((byte)second);
    }

    private static byte[] CloseBody(int code, ReadOnlySpan<byte> reason) => [(byte)(code >> 8), (byte)code, .. reason];

    private byte[] NoText() => _draw.Of<byte[]>([0xFF], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80]);

    private byte[] Text(int length)
    {
        var text = new byte[length];
        for (var i = 0; i < length; i++)
            text[i] = (byte)_draw.Between(' ', '~');
        // Two bytes that a fragment may separate.
        if (length > 4 && _draw.OneIn(2))
            "é"u8.CopyTo(text.AsSpan(length / 2));
        return text;
    }
}
