using System.Buffers;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load.Feed;

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
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number <= Measurement.MostNumber;
}
