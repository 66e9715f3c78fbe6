using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;

namespace PubSubOverWs.Record.Latency;

/// <summary>A histogram in HdrHistogram's compressed V2 encoding, as base64.</summary>
public static class HistogramCode
{
    // https://github.com/HdrHistogram/HdrHistogram, AbstractHistogram: V2 cookies, with the mark of variable-length words.
    private const int Cookie = 0x1c849303 | 0x10;
    private const int CompressedCookie = 0x1c849304 | 0x10;
    private const int HeaderBytes = 40;

    // More than any histogram of this layout has; anything larger is not unpacked.
    private const int MaxBytes = 1 << 20;

    public static string Encode(LatencyHistogram histogram)
    {
        using var counts = new MemoryStream();
        WriteCounts(counts, histogram.Counts);
        var header = new byte[HeaderBytes];
        BinaryPrimitives.WriteInt32BigEndian(header, Cookie);
        BinaryPrimitives.WriteInt32BigEndian(header.AsSpan(4), (int)counts.Length);
        BinaryPrimitives.WriteInt32BigEndian(header.AsSpan(12), LatencyHistogram.SignificantDigits);
        BinaryPrimitives.WriteInt64BigEndian(header.AsSpan(16), 1);
        BinaryPrimitives.WriteInt64BigEndian(header.AsSpan(24), (long)LatencyHistogram.Longest.TotalMicroseconds);
        BinaryPrimitives.WriteDoubleBigEndian(header.AsSpan(32), 1);
        using var packed = new MemoryStream();
        packed.Write(new byte[8]);
        using (var zlib = new ZLibStream(packed, CompressionLevel.Optimal, leaveOpen: true))
        {
            zlib.Write(header);
            zlib.Write(counts.GetBuffer(), 0, (int)counts.Length);
        }

        var bytes = packed.ToArray();
        BinaryPrimitives.WriteInt32BigEndian(bytes, CompressedCookie);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(4), bytes.Length - 8);
        return Convert.ToBase64String(bytes);
    }

    /// <summary>
    /// Reads any histogram in microseconds with this layout's digits; a wider range is accepted where its further cells are empty.
    /// </summary>
    /// <exception cref="RecordException">It is not a histogram, or of another layout.</exception>
    public static Distribution DecodeCells(string base64)
    {
        var plain = ArrayPool<byte>.Shared.Rent(MaxBytes);
        try
        {
            var bytes = Convert.FromBase64String(base64);
            if (bytes.Length < 8 || BinaryPrimitives.ReadInt32BigEndian(bytes) != CompressedCookie)
                throw new InvalidDataException("it is not in the compressed V2 encoding");
            using var zlib = new ZLibStream(new MemoryStream(bytes, 8, bytes.Length - 8), CompressionMode.Decompress);
            return Read(plain.AsSpan(0, zlib.ReadAtLeast(plain.AsSpan(0, MaxBytes), MaxBytes, throwOnEndOfStream: false)));
        }
        catch (Exception error) when (error is FormatException or InvalidDataException or EndOfStreamException)
        {
            throw new RecordException($"A histogram cannot be read: {error.Message.TrimEnd('.')}.", error);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(plain);
        }
    }

    private static Distribution Read(ReadOnlySpan<byte> plain)
    {
        if (plain.Length < HeaderBytes || BinaryPrimitives.ReadInt32BigEndian(plain) != Cookie)
            throw new InvalidDataException("it is not in the V2 encoding");
        if (BinaryPrimitives.ReadInt32BigEndian(plain[12..]) != LatencyHistogram.SignificantDigits
            || BinaryPrimitives.ReadInt64BigEndian(plain[16..]) != 1)
            throw new InvalidDataException("it does not count microseconds with three digits");
        var length = BinaryPrimitives.ReadInt32BigEndian(plain[4..]);
        if (length < 0 || length > plain.Length - HeaderBytes)
            throw new InvalidDataException("it is cut");
        var counts = plain.Slice(HeaderBytes, length);
        var cells = new List<(int, long)>();
        long index = 0;
        for (var position = 0; position < counts.Length;)
        {
            var count = ZigZag.Read(counts, ref position);
            if (count > 0 && (index < 0 || index >= LatencyHistogram.Cells))
                throw new InvalidDataException("it holds values above one hour");
            if (count > 0)
                cells.Add(((int)index, count));
            index += count < 0 ? -count : 1;
        }

        return new Distribution(cells);
    }

    // Counts up to the last that is not 0; a run of zeros is its length, negative.
    private static void WriteCounts(Stream to, ReadOnlySpan<long> counts)
    {
        counts = counts[..(counts.LastIndexOfAnyExcept(0L) + 1)];
        while (counts.Length > 0)
        {
            var zeros = counts.IndexOfAnyExcept(0L);
            ZigZag.Write(to, zeros switch { 0 => counts[0], 1 => 0, _ => -zeros });
            counts = counts[Math.Max(1, zeros)..];
        }
    }
}

/// <summary>Whole numbers as HdrHistogram's V2 format has them: zigzag, then groups of 7 bits, the ninth byte with all 8.</summary>
internal static class ZigZag
{
    private const int MaxBytes = 9;

    public static void Write(Stream to, long value)
    {
        var left = (ulong)((value << 1) ^ (value >> 63));
        for (var i = 1; i < MaxBytes && left > 0x7f; i++, left >>= 7)
            to.WriteByte((byte)((left & 0x7f) | 0x80));
        to.WriteByte((byte)left);
    }

    /// <exception cref="EndOfStreamException">The number is cut.</exception>
    public static long Read(ReadOnlySpan<byte> from, ref int position)
    {
        ulong value = 0;
        for (var i = 0; i < MaxBytes; i++)
        {
            if (position >= from.Length)
                throw new EndOfStreamException();
            ulong next = from[position++];
            var last = i == MaxBytes - 1 || next < 0x80;
            value |= (i == MaxBytes - 1 ? next : next & 0x7f) << (7 * i);
            if (last)
                break;
        }

        return (long)(value >> 1) ^ -(long)(value & 1);
    }
}

/// <summary>HdrHistogram's log: one tagged line for each histogram, which any of its readers merges and plots.</summary>
public static class HistogramLog
{
    private const string Legend = "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"";
    private const string TagMark = "Tag=";

    /// <summary>The first lines of a log, each with its end.</summary>
    public const string Header = $"#[Histogram log format version 1.3]\n{Legend}\n";

    /// <summary>
    /// One line, without its end. Start and length are 0: iterations are no intervals of a clock. The maximum is in ms.
    /// </summary>
    /// <param name="tag">Without comma or line end.</param>
    public static string Line(string tag, LatencyHistogram histogram) =>
        Invariant($"{TagMark}{tag},0.000,0.000,{histogram.Max?.TotalMilliseconds ?? 0:F3},{HistogramCode.Encode(histogram)}");

    /// <summary>The tag ("" where there is none) and the histogram of one line; null: it is empty, a comment or the legend.</summary>
    /// <exception cref="RecordException">It is no line of such a log.</exception>
    public static (string Tag, Distribution Counted)? ReadLine(string line)
    {
        if (line.Length == 0 || line[0] is '#' or '"')
            return null;
        var fields = line.Split(',');
        var tagged = fields[0].StartsWith(TagMark, StringComparison.Ordinal);
        if (fields.Length != (tagged ? 5 : 4))
            throw new RecordException("A line of the histogram log is cut: it does not have start, length, maximum and histogram.");
        return (tagged ? fields[0][TagMark.Length..] : "", HistogramCode.DecodeCells(fields[^1]));
    }
}
