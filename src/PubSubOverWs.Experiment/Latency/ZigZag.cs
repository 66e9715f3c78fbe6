namespace PubSubOverWs.Experiment.Latency;

/// <summary>Whole numbers as HdrHistogram's V2 format has them: zigzag, then groups of 7 bits, the ninth byte with all 8.</summary>
internal static class ZigZag
{
    private const int MostBytes = 9;

    public static void Write(Stream to, long value)
    {
        var left = (ulong)((value << 1) ^ (value >> 63));
        for (var i = 1; i < MostBytes && left > 0x7f; i++, left >>= 7)
            to.WriteByte((byte)((left & 0x7f) | 0x80));
        to.WriteByte((byte)left);
    }

    /// <exception cref="EndOfStreamException">The number is cut.</exception>
    public static long Read(ReadOnlySpan<byte> from, ref int position)
    {
        ulong value = 0;
        for (var i = 0; i < MostBytes; i++)
        {
            if (position >= from.Length)
                throw new EndOfStreamException();
            ulong next = from[position++];
            var last = i == MostBytes - 1 || next < 0x80;
            value |= (i == MostBytes - 1 ? next : next & 0x7f) << (7 * i);
            if (last)
                break;
        }

        return (long)(value >> 1) ^ -(long)(value & 1);
    }
}
