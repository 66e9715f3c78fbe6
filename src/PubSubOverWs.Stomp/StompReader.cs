using System.Text;
using System.Text.Unicode;

namespace PubSubOverWs.Stomp;

/// <summary>
/// Reads frames from a stream of bytes that arrives in pieces of any size. One per connection; it keeps where the headers of the current
/// frame are and how far it has looked, never the bytes. After an exception the stream is unusable: close it.
/// </summary>
public sealed class StompReader(StompLimits limits)
{
    private const int NotInBody = 0;

    private HeaderTable _headers;

    // All places count from the first octet of the frame, so they hold when the caller moves the bytes between two calls.
    private int _looked;
    private int _headStart;
    private int _lineStart;
    private int _bodyStart;
    private int _contentLength;
    private StompCommand _command;

    /// <summary>Decides which escapes are defined. 1.2 at first; the session sets what CONNECT and CONNECTED agreed on.</summary>
    public StompVersion Version { get; set; } = StompVersion.V12;

    /// <summary>True: a whole frame stands at the front. False: more bytes are needed.</summary>
    /// <param name="buffer">All that came and was not consumed. After false, the next call repeats these bytes, with more behind.</param>
    /// <param name="frame">Slices of <paramref name="buffer"/>.</param>
    /// <param name="consumed">
    /// The bytes that the caller drops before the next call: line ends between frames (a heart-beat, when nothing else) and the frame, if
    /// any.
    /// </param>
    /// <exception cref="StompException">The frame is malformed or beyond a limit.</exception>
    public bool TryRead(ReadOnlySpan<byte> buffer, out StompFrame frame, out int consumed)
    {
        consumed = _looked == 0 ? CountLineEnds(buffer) : 0;
        var bytes = buffer[consumed..];
        var isHalfLineEnd = bytes.Length == 1 && bytes[0] == '\r';
        if (bytes.Length == 0 || isHalfLineEnd || !TryReadHead(bytes) || !TryReadBody(bytes, out var bodyLength))
        {
            if (bytes.Length == 0)
                _headers.Release();
            frame = default;
            return false;
        }
        var end = _bodyStart + bodyLength;
        frame = new StompFrame
        {
            Command = _command,
            Body = bytes[_bodyStart..end],
            Bytes = bytes[..end],
            Headers = _headers.Slots,
            Scratch = _headers.Scratch,
        };
        consumed += end + 1;
        _looked = _headStart = _bodyStart = 0;
        return true;
    }

    /// <summary>Octets of the whole line ends at the front; a CR whose LF is still to come is none.</summary>
    private static int CountLineEnds(ReadOnlySpan<byte> buffer)
    {
        var count = 0;
        while (count < buffer.Length)
        {
            if (buffer[count] == '\n')
                count++;
            else if (buffer[count..].StartsWith("\r\n"u8))
                count += 2;
            else
                break;
        }
        return count;
    }

    /// <summary>Reads the command and the header lines, up to and with the blank line.</summary>
    private bool TryReadHead(ReadOnlySpan<byte> bytes)
    {
        if (_bodyStart != NotInBody)
            return true;
        if (_headStart == 0 && !TryReadCommand(bytes))
            return false;
        var unseen = _looked;
        while (true)
        {
            var lineEnd = bytes[_looked..].IndexOf((byte)'\n');
            if (lineEnd < 0)
            {
                RefuseUnfinishedHead(bytes, unseen);
                _looked = bytes.Length;
                return false;
            }
            lineEnd += _looked;
            var line = bytes[_lineStart..lineEnd];
            _looked = lineEnd + 1;
            if (line.Length == 0 || (line.Length == 1 && line[0] == '\r'))
            {
                EndHead(bytes);
                return true;
            }
            AddHeader(bytes, line);
            _lineStart = _looked;
        }
    }

    /// <summary>Reads the first line. It refuses what cannot become a command without waiting for the line to end.</summary>
    private bool TryReadCommand(ReadOnlySpan<byte> bytes)
    {
        // One octet for a CR, one for the LF: a longer line cannot be a command, whatever follows.
        var line = bytes[..Math.Min(bytes.Length, CommandNames.LongestName + 2)];
        var lineEnd = line.IndexOf((byte)'\n');
        if (lineEnd < 0)
        {
            if (line.Length == CommandNames.LongestName + 2 || line.Contains((byte)0))
                throw Faults.UnknownCommand(line);
            return false;
        }
        line = WithoutCarriageReturn(line[..lineEnd]);
        if (!CommandNames.TryParse(line, out _command) || (Version == StompVersion.V10 && _command == StompCommand.Nack))
            throw Faults.UnknownCommand(line);
        _headStart = _lineStart = _looked = lineEnd + 1;
        _headers.Clear();
        return true;
    }

    private void AddHeader(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> line)
    {
        line = WithoutCarriageReturn(line);
        var colon = line.IndexOf((byte)':');
        if (colon <= 0)
            throw Fault(bytes, colon < 0 ? Faults.NoColon(_command, line) : Faults.NoName(_command, line));
        if (_headers.Count == limits.MaxHeaders)
            throw Fault(bytes, Faults.TooManyHeaders(_command, limits.MaxHeaders));
        _headers.Add(_lineStart, colon, line.Length);
    }

    /// <summary>
    /// The current line has no end yet: refuses what no further octet can repair, in whole lines too, however the bytes were split.
    /// </summary>
    private void RefuseUnfinishedHead(ReadOnlySpan<byte> bytes, int unseen)
    {
        // One octet more than the limit may be the CR of the blank line.
        if (bytes.Length - _headStart > limits.MaxHeaderBytes + 1)
            throw Fault(bytes, Faults.HeadTooLong(_command, limits.MaxHeaderBytes));
        if (bytes[unseen..].Contains((byte)0))
            throw Fault(bytes, Faults.NulInHead(_command));
    }

    /// <summary>The blank line was read: makes the checks that are cheaper for all headers at once.</summary>
    private void EndHead(ReadOnlySpan<byte> bytes)
    {
        var head = bytes[_headStart.._lineStart];
        if (head.Length > limits.MaxHeaderBytes)
            throw Fault(bytes, Faults.HeadTooLong(_command, limits.MaxHeaderBytes));
        // Colons and line ends are ASCII, so the parts are valid UTF-8 exactly when the whole is.
        if (!Utf8.IsValid(head))
            throw Fault(bytes, Faults.NotUtf8(_command));
        if (head.ContainsAny((byte)'\\', (byte)0))
            EndUnusualHead(bytes, head);
        _contentLength = ReadContentLength(bytes);
        _bodyStart = _looked;
    }

    /// <summary>There is a backslash or a NUL among the headers.</summary>
    private void EndUnusualHead(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> head)
    {
        if (head.Contains((byte)0))
            throw Fault(bytes, Faults.NulInHead(_command));
        if (CommandNames.HasEscapes(_command, Version) && !_headers.TryUnescape(bytes, Version, head.Length, out var undefined))
            throw Fault(bytes, Faults.UndefinedEscape(_command, undefined, Version));
    }

    /// <summary>Octets of the body, or <see cref="ContentLength.None"/>.</summary>
    private int ReadContentLength(ReadOnlySpan<byte> bytes)
    {
        if (!ContentLength.TryRead(_headers.Slots, bytes, _headers.Scratch, out var length, out var malformed))
            throw Fault(bytes, Faults.BadContentLength(_command, malformed));
        if (length > 0 && !CommandNames.MayHaveBody(_command))
            throw Fault(bytes, Faults.NoBodyAllowed(_command));
        return length <= limits.MaxBodyBytes ? (int)length : throw Fault(bytes, Faults.BodyTooLong(_command, limits.MaxBodyBytes));
    }

    /// <summary>False: the body, or the NUL after it, has not come yet.</summary>
    private bool TryReadBody(ReadOnlySpan<byte> bytes, out int length)
    {
        length = _contentLength;
        if (bytes.Length > _bodyStart && bytes[_bodyStart] != 0 && !CommandNames.MayHaveBody(_command))
            throw Fault(bytes, Faults.NoBodyAllowed(_command));
        if (length == ContentLength.None)
            return TryFindNul(bytes, out length);
        if (bytes.Length <= _bodyStart + length)
            return false;
        return bytes[_bodyStart + length] == 0 ? true : throw Fault(bytes, Faults.NoNulAfterBody(_command, length));
    }

    /// <summary>Looks for the end of a body without a content-length, from where it looked last.</summary>
    private bool TryFindNul(ReadOnlySpan<byte> bytes, out int length)
    {
        var longest = (long)_bodyStart + limits.MaxBodyBytes + 1;
        var unseen = bytes[_looked..(int)Math.Min(bytes.Length, longest)];
        var nul = unseen.IndexOf((byte)0);
        if (nul >= 0)
        {
            length = _looked + nul - _bodyStart;
            return true;
        }
        _looked += unseen.Length;
        length = 0;
        return _looked < longest ? false : throw Fault(bytes, Faults.BodyTooLong(_command, limits.MaxBodyBytes));
    }

    private StompException Fault(ReadOnlySpan<byte> bytes, string message) =>
        new(message, _headers.FindReceipt(bytes, CommandNames.HasEscapes(_command, Version) ? Version : null));

    private static ReadOnlySpan<byte> WithoutCarriageReturn(ReadOnlySpan<byte> line) =>
        line.Length > 0 && line[^1] == '\r' ? line[..^1] : line;
}

/// <summary>
/// A frame in place: slices of the buffer it was read from. Valid until the next <see cref="StompReader.TryRead"/> and while the buffer is
/// unchanged. Names and values of headers are unescaped, valid UTF-8; indexes go from 0 to <see cref="HeaderCount"/> - 1.
/// </summary>
public readonly ref struct StompFrame
{
    /// <summary>Says which headers and whether a body can be expected; the reader checks the body only.</summary>
    public StompCommand Command { get; internal init; }

    /// <summary>Empty unless the frame is a SEND, MESSAGE or ERROR. Any octets, NUL too when there was a content-length.</summary>
    public ReadOnlySpan<byte> Body { get; internal init; }

    /// <summary>Headers as they came, repeated ones included.</summary>
    public int HeaderCount => Headers.Length;

    internal ReadOnlySpan<byte> Bytes { get; init; }
    internal ReadOnlySpan<HeaderSlot> Headers { get; init; }
    internal byte[]? Scratch { get; init; }

    /// <summary>The name of a header, never empty.</summary>
    public ReadOnlySpan<byte> Name(int index) => Headers[index].Name(Bytes, Scratch);

    /// <summary>The value of a header.</summary>
    public ReadOnlySpan<byte> Value(int index) => Headers[index].Value(Bytes, Scratch);

    /// <summary>The value of the first header of that name: of repeated headers only the first counts.</summary>
    public bool TryGet(ReadOnlySpan<byte> name, out ReadOnlySpan<byte> value)
    {
        for (var i = 0; i < Headers.Length; i++)
        {
            if (Headers[i].NameLength == name.Length && Name(i).SequenceEqual(name))
            {
                value = Value(i);
                return true;
            }
        }
        value = default;
        return false;
    }

    /// <summary>As <see cref="TryGet"/>, as a string; null when there is no such header.</summary>
    public string? GetString(ReadOnlySpan<byte> name) => TryGet(name, out var value) ? Encoding.UTF8.GetString(value) : null;
}

/// <summary>How large a frame may be; a larger one is refused with a <see cref="StompException"/> as early as possible.</summary>
public sealed class StompLimits
{
    /// <summary>Headers of one frame, repeated ones counted each time. Default 64.</summary>
    public int MaxHeaders { get; init; } = 64;

    /// <summary>Octets of all header lines of one frame, as they came (escaped, with their line ends). Default 8 KiB.</summary>
    public int MaxHeaderBytes { get; init; } = 8 * 1024;

    /// <summary>Octets of the body. Default 64 KiB.</summary>
    public int MaxBodyBytes { get; init; } = 64 * 1024;
}

/// <summary>A version of the protocol. For the codec they differ in the escapes of header names and values.</summary>
public enum StompVersion
{
    /// <summary>1.0: no escapes, no NACK.</summary>
    V10,

    /// <summary>1.1: <c>\n</c>, <c>\c</c>, <c>\\</c>.</summary>
    V11,

    /// <summary>1.2: <c>\r</c> as well.</summary>
    V12,
}

/// <summary>The optional <c>content-length</c> header: how many octets the body has.</summary>
internal static class ContentLength
{
    /// <summary>There is no such header: the body ends at its first NUL.</summary>
    public const int None = -1;

    // More digits than any limit has, and few enough that a long holds them.
    private const int MaxDigits = 18;

    /// <summary>False: <paramref name="malformed"/> is not a number of octets, or differs from an earlier such header.</summary>
    public static bool TryRead(
        ReadOnlySpan<HeaderSlot> slots, ReadOnlySpan<byte> frame, byte[]? scratch, out long length, out ReadOnlySpan<byte> malformed)
    {
        length = None;
        malformed = default;
        foreach (ref readonly var slot in slots)
        {
            if (slot.NameLength != StompNames.ContentLength.Length
                || !slot.Name(frame, scratch).SequenceEqual(StompNames.ContentLength))
                continue;
            malformed = slot.Value(frame, scratch);
            var earlier = length;
            if (!TryParse(malformed, out length) || (earlier != None && earlier != length))
                return false;
        }
        return true;
    }

    /// <summary>Digits only: no sign, no space.</summary>
    private static bool TryParse(ReadOnlySpan<byte> value, out long length)
    {
        length = 0;
        foreach (var digit in value)
        {
            if (!char.IsAsciiDigit((char)digit))
                return false;
            length = length * 10 + (digit - '0');
        }
        return value.Length is > 0 and <= MaxDigits;
    }
}

/// <summary>A frame is malformed or beyond a limit. The message is one sentence that can go to the peer in an ERROR frame.</summary>
public sealed class StompException : Exception
{
    public StompException()
    {
    }

    public StompException(string message)
        : base(message)
    {
    }

    public StompException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    public StompException(string message, string? receiptId)
        : base(message) => ReceiptId = receiptId;

    /// <summary>The <c>receipt</c> header of the frame at fault, when it had one before the fault; an ERROR answers with it.</summary>
    public string? ReceiptId { get; }
}
