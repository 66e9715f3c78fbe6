namespace PubSubOverWs.Relay;

/// <summary>
/// Memory that all connections of a server share, for one kind of data that they make it keep. Each connection has some of its own, and
/// takes more in pieces: a connection whose messages leave as they come never touches the shared part. None gets more than its
/// share of the <see cref="Budget"/>.
/// </summary>
/// <param name="total">In bytes.</param>
internal sealed class MemoryBudget(long total)
{
    /// <summary>The part that each connection has for itself: about 50 small messages.</summary>
    public const int Own = 16 * 1024;

    /// <summary>The memory of a message in addition to <see cref="Message.Size"/>.</summary>
    public const int PerMessage = 256;

    private const int Piece = 16 * 1024;

    private readonly Budget _budget = new(total);

    /// <summary>Bytes of the total that connections have taken.</summary>
    public long Taken => _budget.Taken;

    /// <summary>The memory of a message, in bytes.</summary>
    public static int SizeOf(Message message) => message.Size + PerMessage;

    /// <summary>The memory of a string, in bytes; 0 for null.</summary>
    public static int SizeOf(string? text) => text is null ? 0 : 24 + (sizeof(char) * text.Length);

    /// <summary>
    /// Reserves what a connection that has <paramref name="reserved"/> needs to hold so much. False: that is more than its share, and
    /// nothing changed.
    /// </summary>
    public bool TryHold(long held, ref long reserved)
    {
        if (held <= Own + reserved)
            return true;
        var more = Pieces(held) - reserved;
        if (!_budget.TryTake(reserved, more))
            return false;
        reserved += more;
        return true;
    }

    /// <summary>Counts memory that a connection holds and cannot be refused; less is left for the others.</summary>
    public void Hold(long held, ref long reserved)
    {
        if (held <= Own + reserved)
            return;
        _budget.Take(Pieces(held) - reserved);
        reserved = Pieces(held);
    }

    /// <summary>Whether <see cref="TryHold"/> would say yes, as things are.</summary>
    public bool CouldHold(long held, long reserved) => held <= Own + reserved || _budget.MayTake(reserved, Pieces(held) - reserved);

    /// <summary>Whether a connection has more than its share by now.</summary>
    public bool IsOver(long reserved) => reserved > 0 && !_budget.MayTake(reserved, 0);

    /// <summary>Gives back the memory that the connection reserved and does not need.</summary>
    public void Shrink(long held, ref long reserved)
    {
        if (reserved == 0 || Pieces(held) >= reserved)
            return;
        _budget.GiveBack(reserved - Pieces(held));
        reserved = Pieces(held);
    }

    private static long Pieces(long held) => held <= Own ? 0 : (held - Own + Piece - 1) / Piece * Piece;
}
