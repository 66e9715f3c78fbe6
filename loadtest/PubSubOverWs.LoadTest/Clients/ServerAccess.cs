namespace PubSubOverWs.LoadTest.Clients;

/// <summary>How this program gets into servers that have users.</summary>
/// <param name="Login">Of every connection; null: none is sent.</param>
/// <param name="Passcode">Null only together with <paramref name="Login"/>.</param>
/// <param name="StatsToken">The bearer token for <c>/stats</c>; null: none is sent.</param>
public sealed record ServerAccess(string? Login, Secret? Passcode, Secret? StatsToken)
{
    /// <summary>For servers that let everybody in.</summary>
    public static ServerAccess None { get; } = new(null, null, null);

    /// <summary>The options that were given, with what of them may be recorded.</summary>
    public IEnumerable<(string Name, string Value)> Options
    {
        get
        {
            if (Login is not null)
                yield return ("--login", Login);
            if (Passcode is not null)
                yield return ("--passcode-file", Secret.Mask);
            if (StatsToken is not null)
                yield return ("--stats-token-file", Secret.Mask);
        }
    }
}
