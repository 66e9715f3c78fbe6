namespace PubSubOverWs.Stomp;

/// <summary>
/// Reads frames from a stream of bytes that arrives in pieces of any size. One per connection; it keeps the places of the headers of the
/// frame at hand, and how far it looked, and never the bytes. After an exception the stream has no meaning any more: close it.
/// </summary>
public sealed partial class StompReader(StompLimits limits)
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
    /// What the caller drops before the next call: line ends between frames (a heart-beat, when nothing else) and the frame, if any.
    /// </param>
    /// <exception cref="StompException">The frame is malformed or beyond a limit.</exception>
    public bool TryRead(ReadOnlySpan<byte> buffer, out StompFrame frame, out int consumed)
    {
        consumed = _looked == 0 ? CountLineEnds(buffer) : 0;
        var bytes = buffer[consumed..];
        var isHalfLineEnd = bytes.Length == 1 && bytes[0] == '\r';
        if (bytes.Length == 0 || isHalfLineEnd || !TryReadHead(bytes) || !TryReadBody(bytes, out var bodyLength))
        {
            frame = default;
            return false;
        }

        var end = _bodyStart + bodyLength;
        frame = new StompFrame(_command, bytes[..end], _headers.Slots, _headers.Scratch, bytes[_bodyStart..end]);
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
            {
                count++;
            }
            else if (buffer[count..].StartsWith("\r\n"u8))
            {
                count += 2;
            }
            else
            {
                break;
            }
        }

        return count;
    }

    /// <summary>False: the body, or the NUL after it, has not come yet.</summary>
    private bool TryReadBody(ReadOnlySpan<byte> bytes, out int length)
    {
        length = _contentLength;
        if (bytes.Length > _bodyStart && bytes[_bodyStart] != 0 && !CommandNames.MayHaveBody(_command))
        {
            throw Fault(bytes, Faults.NoBodyAllowed(_command));
        }

        if (length == ContentLength.None)
        {
            return TryFindNul(bytes, out length);
        }

        if (bytes.Length <= _bodyStart + length)
        {
            return false;
        }

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
}
