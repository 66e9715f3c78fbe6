namespace PubSubOverWs.Relay;

/// <summary>
/// Memory that all connections of a server share, for what waits for them or for what they have not acknowledged. Each has some that it need not ask for, and asks for more in
/// pieces: a connection whose messages leave as they come never touches what all share.
/// </summary>
/// <param name="total">In bytes.</param>
internal sealed class MemoryBudget(long total)
{
    /// <summary>What each connection has for itself: about 50 small messages.</summary>
    public const int Own = 16 * 1024;

    /// <summary>What a message takes beside <see cref="Message.Size"/>.</summary>
    public const int PerMessage = 256;

    private const int Piece = 64 * 1024;

    private long _taken;

    /// <summary>Bytes of the total that connections have taken.</summary>
    public long Taken => Volatile.Read(ref _taken);

    /// <summary>Somebody could take a piece of it.</summary>
    public bool HasRoom => Taken + Piece <= total;

    /// <summary>Sees that a connection which has <paramref name="reserved"/> may hold so much. False: the total is used up, and nothing changed.</summary>
    public bool TryHold(long held, ref long reserved)
    {
        if (held <= Own + reserved)
            return true;
        var more = Pieces(held) - reserved;
        if (Interlocked.Add(ref _taken, more) <= total)
        {
            reserved += more;
            return true;
        }
        Interlocked.Add(ref _taken, -more);
        return false;
    }

    /// <summary>Gives back what a connection that holds so much does not need.</summary>
    public void Shrink(long held, ref long reserved)
    {
        if (reserved == 0 || Pieces(held) >= reserved)
            return;
        Interlocked.Add(ref _taken, Pieces(held) - reserved);
        reserved = Pieces(held);
    }

    private static long Pieces(long held) => held <= Own ? 0 : (held - Own + Piece - 1) / Piece * Piece;
}
