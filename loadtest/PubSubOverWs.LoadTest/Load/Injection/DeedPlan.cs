namespace PubSubOverWs.LoadTest.Load.Injection;

/// <summary>
/// Decides before anything runs what is done to which message: about half of them are left alone, and no message suffers twice.
/// </summary>
public static class DeedPlan
{
    private const int LeftAlone = 8;

    private static readonly Deed[] Anywhere =
        [Deed.Lose, Deed.LoseWithReceipt, Deed.LoseReceipt, Deed.TurnAway, Deed.Duplicate, Deed.Corrupt, Deed.Misdirect];

    /// <summary>What is done to each message of one user, in the order in which they are sent; the same for the same arguments.</summary>
    /// <param name="messages">1 or more.</param>
    /// <param name="random">Of this user alone.</param>
    /// <remarks>
    /// Only the last message is delayed: an earlier one would also come out of order. The message after one that is swapped is left alone,
    /// so that the swap can be done.
    /// </remarks>
    public static IReadOnlyList<Deed> Draw(int messages, Random random)
    {
        var deeds = new Deed[messages];
        for (var i = 0; i < messages; i++)
        {
            var drawn = random.Next(Anywhere.Length + 1 + LeftAlone);
            var afterSwap = i > 0 && deeds[i - 1] == Deed.Swap;
            deeds[i] = afterSwap || drawn > Anywhere.Length ? Deed.None
                : drawn < Anywhere.Length ? Anywhere[drawn]
                : i == messages - 1 ? Deed.Delay
                : Deed.Swap;
        }
        return deeds;
    }
}
