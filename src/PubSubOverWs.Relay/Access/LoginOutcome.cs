namespace PubSubOverWs.Relay;

/// <summary>The result of a login.</summary>
internal enum LoginOutcome
{
    Right,

    /// <summary>No such user, or a wrong passcode: clients are not told which.</summary>
    Wrong,

    /// <summary>Not checked: too many are being checked.</summary>
    Busy,

    /// <summary>Not checked: too many logins from its address failed.</summary>
    LockedOut,
}

/// <summary>Whether a session may begin.</summary>
/// <param name="User">Whose session it is; null: it is refused.</param>
/// <param name="Refusal">Why it is refused, in one sentence without the client's input.</param>
/// <param name="Outcome">Of its login; null: it had none, or half of one.</param>
internal readonly record struct Admission(User? User, string Refusal, LoginOutcome? Outcome = null);
