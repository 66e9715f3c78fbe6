using System.Text.Unicode;

namespace PubSubOverWs.Stomp;

/// <content>The command and the headers of a frame.</content>
public sealed partial class StompReader
{
    /// <summary>Reads the command and the header lines, up to and with the blank line.</summary>
    private bool TryReadHead(ReadOnlySpan<byte> bytes)
    {
        if (_bodyStart != NotInBody)
        {
            return true;
        }

        if (_headStart == 0 && !TryReadCommand(bytes))
        {
            return false;
        }

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
            {
                throw Faults.UnknownCommand(line);
            }

            return false;
        }

        line = WithoutCarriageReturn(line[..lineEnd]);
        if (!CommandNames.TryParse(line, out _command) || (Version == StompVersion.V10 && _command == StompCommand.Nack))
        {
            throw Faults.UnknownCommand(line);
        }

        _headStart = _lineStart = _looked = lineEnd + 1;
        _headers.Clear();
        return true;
    }

    private void AddHeader(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> line)
    {
        line = WithoutCarriageReturn(line);
        var colon = line.IndexOf((byte)':');
        if (colon <= 0)
        {
            throw Fault(bytes, colon < 0 ? Faults.NoColon(_command, line) : Faults.NoName(_command, line));
        }

        if (_headers.Count == limits.MaxHeaders)
        {
            throw Fault(bytes, Faults.TooManyHeaders(_command, limits.MaxHeaders));
        }

        _headers.Add(_lineStart, colon, line.Length);
    }

    /// <summary>
    /// The line at hand has no end yet: refuses what no further octet can mend, in whole lines too, however the bytes were split.
    /// </summary>
    private void RefuseUnfinishedHead(ReadOnlySpan<byte> bytes, int unseen)
    {
        // One octet more than the limit may be the CR of the blank line.
        if (bytes.Length - _headStart > limits.MaxHeaderBytes + 1)
        {
            throw Fault(bytes, Faults.HeadTooLong(_command, limits.MaxHeaderBytes));
        }

        if (bytes[unseen..].Contains((byte)0))
        {
            throw Fault(bytes, Faults.NulInHead(_command));
        }
    }

    /// <summary>The blank line was read: checks what is cheaper to check for all headers at once.</summary>
    private void EndHead(ReadOnlySpan<byte> bytes)
    {
        var head = bytes[_headStart.._lineStart];
        if (head.Length > limits.MaxHeaderBytes)
        {
            throw Fault(bytes, Faults.HeadTooLong(_command, limits.MaxHeaderBytes));
        }

        // Colons and line ends are ASCII, so the parts are valid UTF-8 exactly when the whole is.
        if (!Utf8.IsValid(head))
        {
            throw Fault(bytes, Faults.NotUtf8(_command));
        }

        if (head.ContainsAny((byte)'\\', (byte)0))
        {
            EndUnusualHead(bytes, head);
        }

        _contentLength = ReadContentLength(bytes);
        _bodyStart = _looked;
    }

    /// <summary>There is a backslash or a NUL among the headers.</summary>
    private void EndUnusualHead(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> head)
    {
        if (head.Contains((byte)0))
        {
            throw Fault(bytes, Faults.NulInHead(_command));
        }

        if (CommandNames.HasEscapes(_command, Version) && !_headers.TryUnescape(bytes, Version, head.Length, out var undefined))
        {
            throw Fault(bytes, Faults.UndefinedEscape(_command, undefined, Version));
        }
    }

    /// <summary>Octets of the body, or <see cref="ContentLength.None"/>.</summary>
    private int ReadContentLength(ReadOnlySpan<byte> bytes)
    {
        if (!ContentLength.TryRead(_headers.Slots, bytes, _headers.Scratch, out var length, out var malformed))
        {
            throw Fault(bytes, Faults.BadContentLength(_command, malformed));
        }

        if (length > 0 && !CommandNames.MayHaveBody(_command))
        {
            throw Fault(bytes, Faults.NoBodyAllowed(_command));
        }

        return length <= limits.MaxBodyBytes ? (int)length : throw Fault(bytes, Faults.BodyTooLong(_command, limits.MaxBodyBytes));
    }

    private StompException Fault(ReadOnlySpan<byte> bytes, string message) =>
        new(message, _headers.FindReceipt(bytes, CommandNames.HasEscapes(_command, Version) ? Version : null));

    private static ReadOnlySpan<byte> WithoutCarriageReturn(ReadOnlySpan<byte> line) =>
        line.Length > 0 && line[^1] == '\r' ? line[..^1] : line;
}
