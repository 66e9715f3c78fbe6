using System.Buffers;
using System.Text;

namespace PubSubOverWs.Stomp;

/// <summary>
/// Writes frames: <see cref="Begin"/>, headers, <c>End</c>. Nothing counts as written before <c>End</c>, as far as the frame fits the span
/// that the output gives. Characters that a header of the version cannot carry (a line end in 1.0, a carriage return in 1.1, NUL in any)
/// are written as a space. Hold it in a local variable: a copy does not see what the original wrote.
/// </summary>
public ref struct StompWriter(IBufferWriter<byte> output, StompVersion version)
{
    private const int FirstSpan = 512;

    private Span<byte> _span;
    private int _used;
    private bool _hasEscapes;

    /// <summary>Starts a frame. One frame is ended before the next is started.</summary>
    public void Begin(StompCommand command)
    {
        Continue(command);
        Copy(CommandNames.Name(command));
        _span[_used++] = (byte)'\n';
    }

    /// <summary>
    /// Goes on with a frame whose command, and perhaps headers, the output has already: whole lines, written before by a writer of the same
    /// version.
    /// </summary>
    public void Continue(StompCommand command)
    {
        _span = output.GetSpan(FirstSpan);
        _used = 0;
        _hasEscapes = CommandNames.HasEscapes(command, version);
    }

    /// <summary>Writes a header, escaped as the version has it. A repeated name is written again: readers take the first.</summary>
    /// <param name="name">UTF-8, not empty.</param>
    /// <param name="value">UTF-8, may be empty.</param>
    public void Header(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> value)
    {
        WriteName(name);
        Write(value, _hasEscapes ? Escapes.Escaped : Escapes.PlainValue);
        EndLine();
    }

    /// <inheritdoc cref="Header(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    public void Header(scoped ReadOnlySpan<byte> name, string value)
    {
        WriteName(name);
        Write(value, _hasEscapes ? Escapes.Escaped : Escapes.PlainValue);
        EndLine();
    }

    /// <inheritdoc cref="Header(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    public void Header(string name, string value)
    {
        Write(name, _hasEscapes ? Escapes.Escaped : Escapes.PlainName);
        Ensure(1);
        _span[_used++] = (byte)':';
        Write(value, _hasEscapes ? Escapes.Escaped : Escapes.PlainValue);
        EndLine();
    }

    /// <summary>Writes a header whose value is a decimal number, without thousands separators.</summary>
    public void Header(scoped ReadOnlySpan<byte> name, long value)
    {
        const int LongestNumber = 20;
        WriteName(name);
        Ensure(LongestNumber);
        value.TryFormat(_span[_used..], out var written);
        _used += written;
        EndLine();
    }

    /// <summary>Ends the frame. A body that may hold NUL needs a <c>content-length</c> header, which the caller writes.</summary>
    public void End(scoped ReadOnlySpan<byte> body)
    {
        EndLine();
        Copy(body);
        Ensure(1);
        _span[_used++] = 0;
        output.Advance(_used);
        _span = default;
        _used = 0;
    }

    /// <summary>Ends a frame that has no body.</summary>
    public void End() => End([]);

    private void WriteName(scoped ReadOnlySpan<byte> name)
    {
        Write(name, _hasEscapes ? Escapes.Escaped : Escapes.PlainName);
        Ensure(1);
        _span[_used++] = (byte)':';
    }

    private void EndLine()
    {
        Ensure(1);
        _span[_used++] = (byte)'\n';
    }

    private void Write(scoped ReadOnlySpan<byte> text, SearchValues<byte> special)
    {
        Ensure(text.Length * 2);
        text.CopyTo(_span[_used..]);
        EscapeWritten(text.Length, special);
    }

    private void Write(string text, SearchValues<byte> special)
    {
        // A UTF-16 unit is at most three octets, and an escaped one is two.
        Ensure(text.Length * 3);
        EscapeWritten(Encoding.UTF8.GetBytes(text, _span[_used..]), special);
    }

    /// <summary>Escapes the last octets of the span in place; there is room for twice as many.</summary>
    private void EscapeWritten(int length, SearchValues<byte> special)
    {
        var text = _span.Slice(_used, length);
        var first = text.IndexOfAny(special);
        if (first >= 0)
            length = Expand(_span[(_used + first)..], length - first, special) + first;
        _used += length;
    }

    /// <summary>Escapes the first octets of <paramref name="room"/> and says how many they are then.</summary>
    private readonly int Expand(Span<byte> room, int length, SearchValues<byte> special)
    {
        var expanded = length;
        foreach (var octet in room[..length])
            expanded += special.Contains(octet) && Letter(octet) != 0 ? 1 : 0;
        // Backwards, so that no octet is overwritten before it was moved.
        for (int from = length - 1, to = expanded - 1; from >= 0; from--)
        {
            var octet = room[from];
            if (!special.Contains(octet))
            {
                room[to--] = octet;
            }
            else if (Letter(octet) is var letter and not 0)
            {
                room[to--] = letter;
                room[to--] = (byte)'\\';
            }
            else
            {
                room[to--] = (byte)' ';
            }
        }
        return expanded;
    }

    private readonly byte Letter(byte octet) => _hasEscapes ? Escapes.Letter(octet, version) : (byte)0;

    private void Copy(scoped ReadOnlySpan<byte> octets)
    {
        Ensure(octets.Length);
        octets.CopyTo(_span[_used..]);
        _used += octets.Length;
    }

    /// <summary>Makes room; what does not fit the current span goes to the output first.</summary>
    private void Ensure(int free)
    {
        if (_span.Length - _used < free)
        {
            output.Advance(_used);
            _span = output.GetSpan(Math.Max(free, FirstSpan));
            _used = 0;
        }
    }
}
