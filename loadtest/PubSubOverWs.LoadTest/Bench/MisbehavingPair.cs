namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Two legs of one server process: first without misbehaving clients, then beside them.</summary>
/// <param name="What">They do.</param>
/// <param name="Cut">How often the server cut one of them, or did not let one in.</param>
/// <param name="PeakResidentBytes">Of the server's process over both legs; 0 where the system does not tell.</param>
/// <param name="MemoryBoundBytes">The most memory, as the server computed it from its settings.</param>
public sealed record MisbehavingPair(
    Misbehaviour What, WellBehavedLeg Without, WellBehavedLeg Beside, int Cut, long PeakResidentBytes, long MemoryBoundBytes)
{
    public double Ratio => Beside.P99Milliseconds / Without.P99Milliseconds;
}

/// <summary>The figures of well-behaved clients in one leg, at a fixed rate.</summary>
/// <param name="Copies">That were to come to them.</param>
/// <param name="Missing">That did not come within the patience of the bench, those of the unmeasured part before the leg included.</param>
/// <param name="P50Milliseconds">From when a message was due.</param>
/// <param name="P99Milliseconds">From when a message was due.</param>
public sealed record WellBehavedLeg(int Copies, int Missing, double P50Milliseconds, double P99Milliseconds);

/// <summary>A behaviour of some clients that may harm the others.</summary>
public enum Misbehaviour
{
    /// <summary>Nothing, because there are none: both legs of the pair are alike, and show how much the set-up itself varies.</summary>
    None,

    /// <summary>Ask for 100,000 messages of a queue at a time, and for messages of a topic, and acknowledge none.</summary>
    NeverAcknowledge,

    /// <summary>Give back every message.</summary>
    GiveBack,

    /// <summary>Read one byte a second.</summary>
    ReadSlowly,

    /// <summary>Make 1,000 subscriptions with long names, and acknowledge nothing.</summary>
    SubscribeOften,

    /// <summary>Send into 16 transactions with long destinations and receipts, as much as is taken, and commit none.</summary>
    LeaveTransactionsOpen,

    /// <summary>Read 30 kB a second, steadily: slower than the rest, and nothing that a server may end them for.</summary>
    ReadSteadily,

    /// <summary>Make 1,000 subscriptions to one topic, leave all in the same moment, come back at once, and so on.</summary>
    LeaveTogether,

    /// <summary>Commit transactions that ask for 1 MiB of receipts each, and read one byte a second.</summary>
    CommitUnread,

    /// <summary>All of the above at once: as many clients together as otherwise of one kind, an equal share of each.</summary>
    All,
}
