using System.Buffers.Binary;

namespace PubSubOverWs.LoadTest.Workloads.Interference;

/// <summary>Called at the end of each message of a server.</summary>
/// <param name="opcode">Of its first frame.</param>
/// <param name="beginning">Its first bytes, valid until the call returns.</param>
/// <param name="length">Its payload in bytes.</param>
public delegate void MessageSeen(byte opcode, ReadOnlySpan<byte> beginning, long length);

/// <summary>
/// Finds the messages in the bytes of a WebSocket server (RFC 6455, section 5), and keeps only the beginning of each: large ones are passed
/// over without a copy.
/// </summary>
/// <param name="kept">Bytes of a message that are kept.</param>
/// <param name="seen">Called for messages and control frames, in the order in which they end.</param>
public sealed class MessageScanner(int kept, MessageSeen seen)
{
    private const int LongestHeader = 10;
    private const byte FirstControl = 0x8;

    private readonly byte[] _header = new byte[LongestHeader];
    private readonly Part _message = new(kept);
    private readonly Part _control = new(125);
    private int _headerLength;
    private long _left;
    private bool _inPayload;

    /// <summary>Payload bytes of messages so far, of those that have not ended, too.</summary>
    public long PayloadBytes { get; private set; }

    /// <exception cref="InvalidDataException">A frame is masked, which only clients do.</exception>
    public void Read(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            if (!_inPayload)
            {
                _header[_headerLength++] = bytes[0];
                bytes = bytes[1..];
                if (!TryBegin())
                    continue;
            }

            var part = bytes[..(int)Math.Min(_left, bytes.Length)];
            Current.Add(part);
            if (Current == _message)
                PayloadBytes += part.Length;
            _left -= part.Length;
            bytes = bytes[part.Length..];
            if (_left == 0)
                End();
        }
    }

    private Part Current => (_header[0] & 0xF) >= FirstControl ? _control : _message;

    private bool TryBegin()
    {
        if (_headerLength < 2)
            return false;
        if (_header[1] > 127)
            throw new InvalidDataException("the server sent a masked frame");
        var whole = _header[1] switch { 126 => 4, 127 => LongestHeader, _ => 2 };
        if (_headerLength < whole)
            return false;
        _left = whole switch
        {
            4 => BinaryPrimitives.ReadUInt16BigEndian(_header.AsSpan(2)),
            LongestHeader => BinaryPrimitives.ReadInt64BigEndian(_header.AsSpan(2)),
            _ => _header[1],
        };
        _inPayload = true;
        // A continuation belongs to the message that has begun.
        if ((_header[0] & 0xF) is > 0 and var opcode)
            Current.Begin((byte)opcode);
        return true;
    }

    private void End()
    {
        if (_header[0] > 127)
            seen(Current.Opcode, Current.Beginning, Current.Length);
        (_headerLength, _inPayload) = (0, false);
    }

    /// <summary>A message, or a control frame, which may come between the frames of a message.</summary>
    private sealed class Part(int kept)
    {
        private readonly byte[] _kept = new byte[kept];
        private int _filled;

        public byte Opcode { get; private set; }

        public long Length { get; private set; }

        public ReadOnlySpan<byte> Beginning => _kept.AsSpan(0, _filled);

        public void Begin(byte opcode) => (Opcode, Length, _filled) = (opcode, 0, 0);

        public void Add(ReadOnlySpan<byte> bytes)
        {
            Length += bytes.Length;
            if (_filled == _kept.Length)
                return;
            var more = bytes[..Math.Min(_kept.Length - _filled, bytes.Length)];
            more.CopyTo(_kept.AsSpan(_filled));
            _filled += more.Length;
        }
    }
}
