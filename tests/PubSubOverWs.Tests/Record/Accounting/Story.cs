using FsCheck;
using FsCheck.Fluent;
using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.Record.Accounting;

/// <summary>One intention and all that is injected into it.</summary>
/// <param name="Publisher">Who sends.</param>
/// <param name="Recipient">Whom it is meant for.</param>
/// <param name="Fate">What becomes of it.</param>
/// <param name="HasReceipt">Its receipt is not lost; of no meaning where the fate says it all.</param>
/// <param name="HeldBack">It comes behind a later message of its publisher, if one comes at all.</param>
/// <param name="Copies">How often it comes again, when it comes.</param>
/// <param name="Corrupted">How many changed copies come, whatever else does.</param>
/// <param name="ConnectionEnds">The recipient's connection closes, too late to change what was delivered.</param>
/// <param name="Refusal">Why it was turned away, or not sent.</param>
public sealed record Story(
    int Publisher, int Recipient, Fate Fate, bool HasReceipt, bool HeldBack, int Copies, int Corrupted, bool ConnectionEnds, Cause Refusal)
{
    private static readonly Cause[] Refusals = [Cause.Shed, Cause.NoSubscriber];
    private static readonly Cause[] Failures = [Cause.ConnectRefused, Cause.ConnectTimeout, Cause.HandshakeRejected, Cause.SendError,
        Cause.ServerClosed];

    public static Gen<Story> Any() =>
        from publisher in Gen.Choose(0, 2)
        from recipient in Gen.Choose(0, 1)
        from fate in Gen.Frequency((4, Gen.Constant(Fate.Delivered)), (3, Gen.Elements(Enum.GetValues<Fate>())))
        from hasReceipt in Gen.Elements(true, false)
        from heldBack in Gen.Frequency((3, Gen.Constant(false)), (1, Gen.Constant(true)))
        from copies in Gen.Frequency((3, Gen.Constant(0)), (1, Gen.Choose(1, 3)))
        from corrupted in Gen.Frequency((4, Gen.Constant(0)), (1, Gen.Choose(1, 2)))
        from connectionEnds in Gen.Frequency((4, Gen.Constant(false)), (1, Gen.Constant(true)))
        from refusal in Gen.Elements(fate == Fate.TurnedAway ? Refusals : Failures)
        select new Story(publisher, recipient, fate, hasReceipt, heldBack, copies, corrupted, connectionEnds, refusal);

    /// <summary>An intact copy comes, in time or not.</summary>
    public bool Comes => Fate is Fate.Delivered or Fate.Late;

    /// <summary>A receipt says that the broker has taken it.</summary>
    public bool IsTaken => Fate == Fate.LostThoughTaken || (Comes && HasReceipt);
}
