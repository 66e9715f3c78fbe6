using System.Text;

namespace PubSubOverWs.Stomp;

/// <summary>
/// A frame in place: slices of the buffer it was read from. Valid until the next <see cref="StompReader.TryRead"/> and while the
/// buffer is unchanged.
/// </summary>
public readonly ref struct StompFrame
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly ReadOnlySpan<HeaderSlot> _headers;
    private readonly byte[]? _scratch;

    internal StompFrame(
        StompCommand command, ReadOnlySpan<byte> bytes, ReadOnlySpan<HeaderSlot> headers, byte[]? scratch, ReadOnlySpan<byte> body)
    {
        Command = command;
        Body = body;
        _bytes = bytes;
        _headers = headers;
        _scratch = scratch;
    }

    /// <summary>Says which headers and whether a body can be expected; the reader checks the body only.</summary>
    public StompCommand Command { get; }

    /// <summary>Empty unless the frame is a SEND, MESSAGE or ERROR. Any octets, NUL too when there was a content-length.</summary>
    public ReadOnlySpan<byte> Body { get; }

    /// <summary>Headers as they came, repeated ones included.</summary>
    public int HeaderCount => _headers.Length;

    /// <summary>The name of a header, unescaped, valid UTF-8, never empty.</summary>
    /// <param name="index">From 0 to <see cref="HeaderCount"/> - 1, in the order of the frame.</param>
    public ReadOnlySpan<byte> Name(int index) => _headers[index].Name(_bytes, _scratch);

    /// <summary>The value of a header, unescaped, valid UTF-8.</summary>
    /// <param name="index">From 0 to <see cref="HeaderCount"/> - 1, in the order of the frame.</param>
    public ReadOnlySpan<byte> Value(int index) => _headers[index].Value(_bytes, _scratch);

    /// <summary>The value of the first header of that name: of repeated headers only the first counts.</summary>
    public bool TryGet(ReadOnlySpan<byte> name, out ReadOnlySpan<byte> value)
    {
        for (var i = 0; i < _headers.Length; i++)
        {
            if (_headers[i].NameLength == name.Length && Name(i).SequenceEqual(name))
            {
                value = Value(i);
                return true;
            }
        }

        value = default;
        return false;
    }

    /// <summary>As <see cref="TryGet"/>, as a string; null when there is no such header.</summary>
    public string? GetString(ReadOnlySpan<byte> name) => TryGet(name, out var value) ? Encoding.UTF8.GetString(value) : null;
}
