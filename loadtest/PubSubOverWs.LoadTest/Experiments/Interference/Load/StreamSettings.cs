using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

/// <summary>What a connection is sent beside the replies.</summary>
/// <param name="ChunkBytes">Larger messages are sent as several of this size, and replies go between them; 0: whole.</param>
public sealed record StreamSettings(DummyMessages Dummies, int ChunkBytes = 0)
{
    private const string Bytes = "dummyBytes";
    private const string Period = "dummyPeriodUs";
    private const string Chunk = "chunkBytes";

    /// <summary>As published: 1 MB (of 1,024 KB) every 500 us.</summary>
    public static StreamSettings Published { get; } = new(new DummyMessages(1 << 20, 500));

    /// <summary>Replies only.</summary>
    public static StreamSettings Idle { get; } = new(DummyMessages.Idle);

    /// <summary>The path and the query with which a client asks for these.</summary>
    public string PathAndQuery => string.Create(
        CultureInfo.InvariantCulture,
        $"{ClientTarget.Path}?{Bytes}={Dummies.Bytes}&{Period}={Dummies.PeriodUs}{(ChunkBytes == 0 ? "" : $"&{Chunk}={ChunkBytes}")}");

    /// <summary>These settings with what a client asks for.</summary>
    /// <param name="query">Keys that are missing change nothing.</param>
    /// <returns>Null: a value is no whole number, or out of its range.</returns>
    public StreamSettings? With(IQueryCollection query)
    {
        var bytes = Number(query, Bytes, Dummies.Bytes);
        var period = Number(query, Period, Dummies.PeriodUs);
        var chunk = Number(query, Chunk, ChunkBytes);
        if (period == 0)
            return Idle;
        return bytes is >= 1 and <= DummyMessages.LargestBytes && period is >= 1 and <= DummyMessages.LongestPeriodUs && chunk >= 0
            ? new StreamSettings(new DummyMessages(bytes.Value, period.Value), chunk.Value)
            : null;
    }

    /// <summary>One message of the stream.</summary>
    public byte[] Message() => Message(Dummies.Bytes);

    /// <summary>The frames of one message of the stream, or of its chunks, in order; every message is the same.</summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> Frames()
    {
        var largest = ChunkBytes == 0 ? Dummies.Bytes : ChunkBytes;
        var frames = new List<ReadOnlyMemory<byte>>();
        for (var left = Dummies.Bytes; left > 0; left -= Math.Min(left, largest))
            frames.Add(ServerFrames.Write(Opcodes.Text, Message(Math.Min(left, largest))));
        return frames;
    }

    private static byte[] Message(int bytes)
    {
        var message = new byte[bytes];
        message.AsSpan().Fill((byte)'.');
        return message;
    }

    private static int? Number(IQueryCollection query, string key, int otherwise) =>
        !query.TryGetValue(key, out var text) ? otherwise
        : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number
        : null;
}
