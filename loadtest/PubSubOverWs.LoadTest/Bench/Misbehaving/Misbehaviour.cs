namespace PubSubOverWs.LoadTest.Bench.Misbehaving;

/// <summary>What some clients do that may harm the others.</summary>
public enum Misbehaviour
{
    /// <summary>Nothing, for there are none: both legs of the pair are alike, and show what the set-up itself varies by.</summary>
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

    /// <summary>All of the above at once: as many clients together as otherwise of one kind, an equal share of each.</summary>
    All,
}
