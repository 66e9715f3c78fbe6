namespace PubSubOverWs.LoadTest.Load.Injection;

/// <summary>What a self-test does to one message between the connection and the logbook.</summary>
public enum Deed
{
    None,

    /// <summary>The message is swallowed; its receipt is not.</summary>
    Lose,

    /// <summary>The message and its receipt are swallowed.</summary>
    LoseWithReceipt,

    /// <summary>The receipt alone is swallowed.</summary>
    LoseReceipt,

    /// <summary>
    /// The message is swallowed, and its receipt says that it was shed: what a server looks like whose outboxes are full.
    /// </summary>
    TurnAway,

    /// <summary>The message is handed on twice.</summary>
    Duplicate,

    /// <summary>The message is handed on after the next one.</summary>
    Swap,

    /// <summary>One byte of the body is another.</summary>
    Corrupt,

    /// <summary>The message is held back until all deadlines are over.</summary>
    Delay,

    /// <summary>With it comes a whole message that is meant for another user.</summary>
    Misdirect,
}
