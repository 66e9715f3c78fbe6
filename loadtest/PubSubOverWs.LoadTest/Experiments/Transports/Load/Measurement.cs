using System.Buffers;
using System.Buffers.Text;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>
/// A measurement as the sensor of the paper sent it, 22 bytes of ASCII: a number of 8 digits, a space, and 13 digits of time. Here the time
/// is the server's reading of the machine's monotonic clock in microseconds, which every process of one Linux machine reads alike.
/// </summary>
/// <param name="Number">0 to 99,999,999.</param>
/// <param name="Microseconds">The last 13 digits of the reading, which begin again after 115 days.</param>
public readonly record struct Measurement(int Number, long Microseconds)
{
    public const int Bytes = NumberDigits + 1 + TimeDigits;

    public const int MaxNumber = 99_999_999;

    /// <summary>Of the number, with which it begins.</summary>
    public const int NumberDigits = 8;

    private const int TimeDigits = 13;
    private const long Wraps = 10_000_000_000_000;
    private const long PerSecond = 1_000_000;

    /// <param name="stamp">Of <paramref name="time"/>.</param>
    public static Measurement At(int number, long stamp, TimeProvider time) =>
        new(number, (long)((Int128)stamp * PerSecond / time.TimestampFrequency) % Wraps);

    /// <summary>False: not the bytes of a measurement.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out Measurement measurement)
    {
        measurement = default;
        if (bytes.Length != Bytes || bytes[NumberDigits] != ' '
            || !Utf8Parser.TryParse(bytes[..NumberDigits], out int number, out var digits) || digits != NumberDigits
            || !Utf8Parser.TryParse(bytes[(NumberDigits + 1)..], out long time, out var timeDigits) || timeDigits != TimeDigits
            || number < 0 || time < 0)
            return false;
        measurement = new Measurement(number, time);
        return true;
    }

    public byte[] Write()
    {
        var bytes = new byte[Bytes];
        Utf8Formatter.TryFormat(Number, bytes, out _, new('D', NumberDigits));
        bytes[NumberDigits] = (byte)' ';
        Utf8Formatter.TryFormat(Microseconds, bytes.AsSpan(NumberDigits + 1), out _, new('D', TimeDigits));
        return bytes;
    }

    /// <summary>The stamp that the server took: the last one before <paramref name="now"/> with these digits.</summary>
    /// <param name="now">A later stamp of <paramref name="time"/>.</param>
    public long StampBefore(long now, TimeProvider time)
    {
        var since = (At(0, now, time).Microseconds - Microseconds + Wraps) % Wraps;
        return now - (long)((Int128)since * time.TimestampFrequency / PerSecond);
    }
}

/// <summary>How a sensor tells the feed server of measurements: lines of a channel and a number.</summary>
public static class SensorLines
{
    public static byte[] Write(int channel, int number) => Encoding.ASCII.GetBytes(Invariant($"{channel} {number}\n"));

    /// <summary>Takes all whole lines.</summary>
    /// <param name="take">Called with the channel and the number of each.</param>
    /// <returns>The end of the last of them.</returns>
    /// <exception cref="InvalidDataException">A line is neither.</exception>
    public static SequencePosition Take(ReadOnlySequence<byte> bytes, Action<int, int> take)
    {
        var reader = new SequenceReader<byte>(bytes);
        while (reader.TryReadTo(out ReadOnlySequence<byte> line, (byte)'\n'))
        {
            var text = Encoding.ASCII.GetString(line);
            if (text.Split(' ') is not [var channel, var number] || !TryParse(channel, out var of) || !TryParse(number, out var measured))
                throw new InvalidDataException($"'{text}' is no channel with a number.");
            take(of, measured);
        }
        return reader.Position;
    }

    private static bool TryParse(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number <= Measurement.MaxNumber;
}
