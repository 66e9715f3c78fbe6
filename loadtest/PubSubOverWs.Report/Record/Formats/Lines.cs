namespace PubSubOverWs.Record.Formats;

/// <summary>
/// The lines of a stream with their ends: a whole last line is told from a cut one. Lines are bytes, for files of millions: no text is made
/// of what only needs to be counted.
/// </summary>
internal sealed class Lines(Stream stream)
{
    /// <summary>In bytes. No line of a record is longer: a histogram has at most 250,000, a row 1,000.</summary>
    public const int MaxLength = 1 << 20;

    private byte[] _buffer = new byte[1 << 16];
    private int _start;
    private int _end;

    /// <summary>The line that <see cref="TryNext"/> came to, without its end; until the next call.</summary>
    public ReadOnlySpan<byte> Line => _buffer.AsSpan(LineStart, LineLength);

    /// <summary>
    /// False: the stream ends, or is damaged, in the middle of the line, or the line is longer than <see cref="MaxLength"/>.
    /// </summary>
    public bool Ended { get; private set; }

    /// <summary>True: the stream ends, or is damaged, in the middle of the line.</summary>
    public bool IsCut => !Ended && LineLength <= MaxLength;

    /// <summary>Of the line in the stream, from 1.</summary>
    public int Number { get; private set; }

    public string Text => Encoding.UTF8.GetString(Line).TrimEnd('\r');

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
            if (searched > MaxLength)
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
        LineStart = _start;
        LineLength = length;
        Ended = ended;
        Number++;
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
