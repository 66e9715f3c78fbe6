namespace PubSubOverWs.Relay;

/// <summary>What became of a login.</summary>
internal enum LoginOutcome
{
    Right,

    /// <summary>No such user, or a wrong passcode: clients are not told which.</summary>
    Wrong,

    /// <summary>Not looked at: too many are being checked.</summary>
    Busy,

    /// <summary>Not looked at: too many from its address were wrong.</summary>
    LockedOut,
}
