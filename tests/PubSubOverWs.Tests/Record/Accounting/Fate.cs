namespace PubSubOverWs.Tests.Record.Accounting;

/// <summary>The intended outcome of one attempt.</summary>
public enum Fate
{
    Delivered,

    /// <summary>It comes, a tick or more after the deadline.</summary>
    Late,

    /// <summary>It never comes intact, though a receipt said that it was taken.</summary>
    LostThoughTaken,

    /// <summary>It never comes intact, and no receipt came.</summary>
    LostUnanswered,

    /// <summary>A receipt said that it was not taken.</summary>
    TurnedAway,

    NeverSent,
}
