namespace PubSubOverWs.Stomp;

/// <summary>
/// Where a header stands, from the start of the frame. Negative starts are the complement of a place in the scratch of
/// <see cref="HeaderTable"/>, where unescaped names and values go.
/// </summary>
internal struct HeaderSlot
{
    public int NameStart;
    public int NameLength;
    public int ValueStart;
    public int ValueLength;

    public readonly ReadOnlySpan<byte> Name(ReadOnlySpan<byte> frame, byte[]? scratch) => Slice(frame, scratch, NameStart, NameLength);

    public readonly ReadOnlySpan<byte> Value(ReadOnlySpan<byte> frame, byte[]? scratch) => Slice(frame, scratch, ValueStart, ValueLength);

    private static ReadOnlySpan<byte> Slice(ReadOnlySpan<byte> frame, byte[]? scratch, int start, int length) =>
        start >= 0 ? frame.Slice(start, length) : scratch.AsSpan(~start, length);
}
