namespace PubSubOverWs.Relay;

/// <summary>A user of this server, and its rights.</summary>
internal sealed class User(string login, PasscodeHash passcode, IReadOnlyList<string> publish, IReadOnlyList<string> subscribe)
{
    public string Login { get; } = login;

    /// <summary>A hash that nothing matches if the user has no passcode.</summary>
    public PasscodeHash Passcode { get; } = passcode;

    /// <summary>Goes by the prefix of the destination; nothing is allowed that is not listed.</summary>
    public bool MayPublish(string destination) => IsUnder(publish, destination);

    /// <inheritdoc cref="MayPublish"/>
    public bool MaySubscribe(string destination) => IsUnder(subscribe, destination);

    private static bool IsUnder(IReadOnlyList<string> prefixes, string destination)
    {
        foreach (var prefix in prefixes)
        {
            if (destination.StartsWith(prefix, StringComparison.Ordinal))
                return true;
        }
        return false;
    }
}
