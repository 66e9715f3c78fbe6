using System.Buffers;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>The bytes of a frame that outlives its buffer, to be handed on later, again, or otherwise than it came.</summary>
public sealed class KeptFrame
{
    private readonly byte[] _bytes;

    private KeptFrame(byte[] bytes) => _bytes = bytes;

    /// <summary>As it came.</summary>
    public static KeptFrame Of(StompFrame frame) => Of(frame, frame.Body);

    /// <summary>With another body and, if one is named, another header.</summary>
    /// <param name="frame">Its headers are kept, in their order.</param>
    /// <param name="body">As long as the frame's own.</param>
    /// <param name="header">Written before the frame's own: of repeated headers the first counts. Empty: none.</param>
    /// <param name="value">Its value.</param>
    public static KeptFrame Of(
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

    /// <summary>Hands it on as if it had come at <paramref name="stamp"/>.</summary>
    public void GiveTo(ClientLog log, long stamp)
    {
        if (!new StompReader(new StompLimits()).TryRead(_bytes, out var frame, out _))
            throw new InvalidOperationException("A frame that was kept cannot be read again: a defect of the self-test.");
        log.Take(frame, stamp);
    }
}
