using System.Buffers;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>A copy of a frame, to be passed on later, again, or changed.</summary>
public sealed class KeptFrame
{
    private readonly byte[] _bytes;

    private KeptFrame(byte[] bytes) => _bytes = bytes;

    /// <summary>An unchanged copy.</summary>
    public static KeptFrame From(StompFrame frame) => From(frame, frame.Body);

    /// <summary>A copy with another body and, if given, another header.</summary>
    /// <param name="frame">Its headers are kept, in their order.</param>
    /// <param name="body">As long as the frame's own.</param>
    /// <param name="header">Written before the frame's own, because the first of repeated headers counts. Empty: none.</param>
    public static KeptFrame From(
        StompFrame frame, ReadOnlySpan<byte> body, ReadOnlySpan<byte> header = default, ReadOnlySpan<byte> value = default)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new StompWriter(output, StompVersion.V12);
        writer.Begin(frame.Command);
        if (!header.IsEmpty)
            writer.Header(header, value);
        for (var i = 0; i < frame.HeaderCount; i++)
            writer.Header(frame.Name(i), frame.Value(i));
        writer.End(body);
        return new KeptFrame(output.WrittenSpan.ToArray());
    }

    /// <summary>Passes it on as if it had arrived at <paramref name="stamp"/>.</summary>
    public void GiveTo(ClientLog log, long stamp)
    {
        if (!new StompReader(new StompLimits()).TryRead(_bytes, out var frame, out _))
            throw new InvalidOperationException("A copied frame cannot be read: a bug of the self-test.");
        log.Take(frame, stamp);
    }
}
