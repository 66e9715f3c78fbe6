using System.Text;
using System.Text.Unicode;

namespace PubSubOverWs.Stomp;

/// <summary>Where the headers of the current frame are. It keeps no bytes except names and values that had escapes.</summary>
internal struct HeaderTable
{
    private const int FirstSlots = 8;

    // Slots that no reader of this thread needs: an idle connection has none.
    [ThreadStatic]
    private static HeaderSlot[]? t_spare;

    private HeaderSlot[]? _slots;
    private int _count;
    private int _scratchUsed;

    /// <summary>Where slots with negative starts point to; null until a frame has an escape.</summary>
    public byte[]? Scratch { get; private set; }

    public readonly int Count => _count;

    public readonly ReadOnlySpan<HeaderSlot> Slots => _slots.AsSpan(0, _count);

    /// <summary>For the next frame; keeps the room.</summary>
    public void Clear() => _count = _scratchUsed = 0;

    /// <summary>Gives back the room: no frame has begun, and what was read of the last one is no longer used.</summary>
    public void Release()
    {
        if (_slots?.Length == FirstSlots)
            t_spare = _slots;
        _slots = null;
        _count = 0;
    }

    /// <summary>Adds a line that has a colon.</summary>
    /// <param name="start">Where the line begins, from the start of the frame.</param>
    /// <param name="colon">Where the colon stands in the line.</param>
    /// <param name="length">Of the line, without its end.</param>
    public void Add(int start, int colon, int length)
    {
        if (_slots is null)
        {
            _slots = t_spare ?? new HeaderSlot[FirstSlots];
            t_spare = null;
        }
        if (_count == _slots.Length)
            Array.Resize(ref _slots, _count * 2);
        ref var slot = ref _slots[_count++];
        slot.NameStart = start;
        slot.NameLength = colon;
        slot.ValueStart = start + colon + 1;
        slot.ValueLength = length - colon - 1;
    }

    /// <summary>Unescapes all names and values. False: <paramref name="undefined"/> holds an escape that is not defined.</summary>
    /// <param name="frame">From its first octet.</param>
    /// <param name="enough">Octets of all headers together.</param>
    public bool TryUnescape(ReadOnlySpan<byte> frame, StompVersion version, int enough, out ReadOnlySpan<byte> undefined)
    {
        if (Scratch is null || Scratch.Length < enough)
            Scratch = new byte[enough];
        foreach (ref var slot in _slots.AsSpan(0, _count))
        {
            if (!TryUnescape(frame, version, ref slot.NameStart, ref slot.NameLength))
            {
                undefined = slot.Name(frame, Scratch);
                return false;
            }
            if (!TryUnescape(frame, version, ref slot.ValueStart, ref slot.ValueLength))
            {
                undefined = slot.Value(frame, Scratch);
                return false;
            }
        }
        undefined = default;
        return true;
    }

    /// <summary>The value of the <c>receipt</c> header, for an ERROR; null when there is none so far or it is malformed itself.</summary>
    /// <param name="frame">From its first octet.</param>
    /// <param name="escapes">The version whose escapes are in force, null for none.</param>
    public readonly string? FindReceipt(ReadOnlySpan<byte> frame, StompVersion? escapes)
    {
        foreach (ref readonly var slot in Slots)
        {
            if (!slot.Name(frame, Scratch).SequenceEqual(StompNames.Receipt))
                continue;
            var value = slot.Value(frame, Scratch);
            if (escapes is { } version && slot.ValueStart >= 0)
            {
                var plain = new byte[value.Length];
                if (!Escapes.TryUnescape(value, version, plain, out var written))
                    return null;
                value = plain.AsSpan(0, written);
            }
            return Utf8.IsValid(value) ? Encoding.UTF8.GetString(value) : null;
        }
        return null;
    }

    private bool TryUnescape(ReadOnlySpan<byte> frame, StompVersion version, ref int start, ref int length)
    {
        var escaped = frame.Slice(start, length);
        if (!escaped.Contains((byte)'\\'))
            return true;
        if (!Escapes.TryUnescape(escaped, version, Scratch.AsSpan(_scratchUsed), out var written))
            return false;
        start = ~_scratchUsed;
        length = written;
        _scratchUsed += written;
        return true;
    }
}

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
