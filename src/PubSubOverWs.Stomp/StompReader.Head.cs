using System.Text;
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

        while (true)
        {
            var lineEnd = bytes[_looked..].IndexOf((byte)'\n');
            if (lineEnd < 0)
            {
                RefuseUnfinishedHead(bytes);
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
        _count = _scratchUsed = 0;
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

        if (_count == limits.MaxHeaders)
        {
            throw Fault(bytes, Faults.TooManyHeaders(_command, limits.MaxHeaders));
        }

        if (_count == _slots.Length)
        {
            Array.Resize(ref _slots, Math.Min(Math.Max(FirstSlots, _count * 2), limits.MaxHeaders));
        }

        _slots[_count++] = new HeaderSlot
        {
            NameStart = _lineStart,
            NameLength = colon,
            ValueStart = _lineStart + colon + 1,
            ValueLength = line.Length - colon - 1,
        };
    }

    private void RefuseUnfinishedHead(ReadOnlySpan<byte> bytes)
    {
        // One octet more than the limit may be the CR of the blank line.
        if (bytes.Length - _headStart > limits.MaxHeaderBytes + 1)
        {
            throw Fault(bytes, Faults.HeadTooLong(_command, limits.MaxHeaderBytes));
        }

        if (bytes[_looked..].Contains((byte)0))
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

        var special = head.IndexOfAny((byte)'\\', (byte)0);
        if (special >= 0)
        {
            if (head.Contains((byte)0))
            {
                throw Fault(bytes, Faults.NulInHead(_command));
            }

            if (CommandNames.HasEscapes(_command, Version))
            {
                UnescapeAll(bytes, head.Length);
            }
        }

        _bodyStart = _looked;
        _contentLength = ReadContentLength(bytes);
    }

    private void UnescapeAll(ReadOnlySpan<byte> bytes, int enough)
    {
        if (_scratch is null || _scratch.Length < enough)
        {
            _scratch = new byte[enough];
        }

        foreach (ref var slot in _slots.AsSpan(0, _count))
        {
            Unescape(bytes, ref slot.NameStart, ref slot.NameLength);
            Unescape(bytes, ref slot.ValueStart, ref slot.ValueLength);
        }
    }

    private void Unescape(ReadOnlySpan<byte> bytes, ref int start, ref int length)
    {
        var escaped = bytes.Slice(start, length);
        if (!escaped.Contains((byte)'\\'))
        {
            return;
        }

        if (!Escapes.TryUnescape(escaped, Version, _scratch.AsSpan(_scratchUsed), out var written))
        {
            throw Fault(bytes, Faults.UndefinedEscape(_command, escaped, Version));
        }

        start = ~_scratchUsed;
        length = written;
        _scratchUsed += written;
    }

    private int ReadContentLength(ReadOnlySpan<byte> bytes)
    {
        var known = NoContentLength;
        foreach (ref readonly var slot in _slots.AsSpan(0, _count))
        {
            if (slot.NameLength != StompNames.ContentLength.Length
                || !slot.Name(bytes, _scratch).SequenceEqual(StompNames.ContentLength))
            {
                continue;
            }

            var value = slot.Value(bytes, _scratch);
            if (!TryParseLength(value, out var length) || (known != NoContentLength && known != length))
            {
                throw Fault(bytes, Faults.BadContentLength(_command, value));
            }

            known = (int)Math.Min(length, int.MaxValue);
        }

        if (known > limits.MaxBodyBytes)
        {
            throw Fault(bytes, Faults.BodyTooLong(_command, limits.MaxBodyBytes));
        }

        return known <= 0 || CommandNames.MayHaveBody(_command) ? known : throw Fault(bytes, Faults.NoBodyAllowed(_command));
    }

    /// <summary>Digits only: no sign, no space. Eighteen of them are more than any limit and do not overflow.</summary>
    private static bool TryParseLength(ReadOnlySpan<byte> value, out long length)
    {
        length = 0;
        if (value.Length is 0 or > 18)
        {
            return false;
        }

        foreach (var digit in value)
        {
            if (!char.IsAsciiDigit((char)digit))
            {
                return false;
            }

            length = length * 10 + (digit - '0');
        }

        return true;
    }

    private StompException Fault(ReadOnlySpan<byte> bytes, string message) => new(message, FindReceipt(bytes));

    /// <summary>The receipt as far as the frame was read; null also when it is malformed itself.</summary>
    private string? FindReceipt(ReadOnlySpan<byte> bytes)
    {
        foreach (ref readonly var slot in _slots.AsSpan(0, _count))
        {
            if (!slot.Name(bytes, _scratch).SequenceEqual(StompNames.Receipt))
            {
                continue;
            }

            var value = slot.Value(bytes, _scratch);
            if (slot.ValueStart >= 0 && CommandNames.HasEscapes(_command, Version))
            {
                var plain = new byte[value.Length];
                if (!Escapes.TryUnescape(value, Version, plain, out var written))
                {
                    return null;
                }

                value = plain.AsSpan(0, written);
            }

            return Utf8.IsValid(value) ? Encoding.UTF8.GetString(value) : null;
        }

        return null;
    }

    private static ReadOnlySpan<byte> WithoutCarriageReturn(ReadOnlySpan<byte> line) =>
        line.Length > 0 && line[^1] == '\r' ? line[..^1] : line;
}
