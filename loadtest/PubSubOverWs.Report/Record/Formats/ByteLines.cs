namespace PubSubOverWs.Record.Formats;

/// <summary>The lines of a stream as bytes, for files of millions: no text is made of what only needs to be counted.</summary>
internal sealed class ByteLines(Stream stream)
{
    private byte[] _buffer = new byte[1 << 16];
    private int _start;
    private int _end;

    /// <summary>The line that <see cref="TryNext"/> came to, without its end; until the next call.</summary>
    public ReadOnlySpan<byte> Line => _buffer.AsSpan(LineStart, LineLength);

    /// <summary>
    /// False: the stream ends, or is damaged, in the middle of the line, or the line is longer than <see cref="Lines.MostLength"/>.
    /// </summary>
    public bool Ended { get; private set; }

    private int LineStart { get; set; }

    private int LineLength { get; set; }

    /// <returns>False: there is no line any more.</returns>
    public bool TryNext()
    {
        for (var searched = 0; ;)
        {
            var at = _buffer.AsSpan(_start + searched, _end - _start - searched).IndexOf((byte)'\n');
            if (at >= 0)
                return Found(searched + at, ended: true);
            searched = _end - _start;
            if (searched >= Lines.MostLength)
                return Found(searched, ended: false);
            switch (Fill())
            {
                case null:
                    return Found(searched, ended: false);
                case 0:
                    return searched > 0 && Found(searched, ended: false);
            }
        }
    }

    private bool Found(int length, bool ended)
    {
        (LineStart, LineLength, Ended) = (_start, length, ended);
        _start += ended ? length + 1 : length;
        return true;
    }

    // Null: what is compressed is cut or damaged.
    private int? Fill()
    {
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        (_start, _end) = (0, _end - _start);
        if (_end == _buffer.Length)
            Array.Resize(ref _buffer, 2 * _buffer.Length);
        try
        {
            var read = stream.Read(_buffer, _end, _buffer.Length - _end);
            _end += read;
            return read;
        }
        catch (InvalidDataException)
        {
            return null;
        }
    }
}

/// <summary>Lines with their end: TextReader.ReadLine does not tell a whole last line from a cut one.</summary>
internal static class Lines
{
    /// <summary>No line of a record is longer: a histogram has at most 250,000 characters, a row 1,000.</summary>
    public const int MostLength = 1 << 20;

    /// <summary>
    /// The next line without its end. Null text: there is none. Not ended: the file stops in the middle of it, or it is longer than any.
    /// </summary>
    public static (string? Text, bool Ended) Next(TextReader reader)
    {
        var line = new StringBuilder();
        try
        {
            for (var c = reader.Read(); c >= 0; c = reader.Read())
            {
                if (c == '\n')
                    return (line.ToString().TrimEnd('\r'), true);
                if (line.Length == MostLength)
                    return (line.ToString(), false);
                line.Append((char)c);
            }
        }
        catch (InvalidDataException)
        {
            // A compressed file that stops or is damaged in the middle: what came is no whole line.
            return (line.ToString(), false);
        }

        return line.Length == 0 ? (null, false) : (line.ToString(), false);
    }
}
