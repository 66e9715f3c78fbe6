using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

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
    private readonly byte[] _headerBytes = new byte[FrameHeader.LongestUnmasked];
    private readonly Part _message = new(kept);
    private readonly Part _control = new(FrameHeader.LargestControl);
    private int _headerLength;
    private FrameHeader _header;
    private long _left;
    private bool _inPayload;

    /// <summary>Payload bytes of messages so far, of those that have not ended, too.</summary>
    public long PayloadBytes { get; private set; }

    /// <exception cref="InvalidDataException">A frame is masked, which only clients do, or has a length that no frame may have.</exception>
    public void Read(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            if (!_inPayload)
            {
                _headerBytes[_headerLength++] = bytes[0];
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

    private Part Current => Opcodes.IsControl(_header.Opcode) ? _control : _message;

    private bool TryBegin()
    {
        var read = _headerBytes.AsSpan(0, _headerLength);
        if (!FrameHeader.TryRead(read, out _header))
            return false;
        if (_header.IsMasked)
            throw new InvalidDataException("the server sent a masked frame");
        if (!_header.TryReadLength(read, out _left))
            return false;
        _inPayload = true;
        // A continuation belongs to the message that has begun.
        if (_header.Opcode != Opcodes.Continuation)
            Current.Begin(_header.Opcode);
        return true;
    }

    private void End()
    {
        if (_header.IsFinal)
            seen(Current.Opcode, Current.Beginning, Current.Length);
        _headerLength = 0;
        _inPayload = false;
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
