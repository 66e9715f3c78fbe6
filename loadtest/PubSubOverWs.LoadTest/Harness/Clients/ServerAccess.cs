using PubSubOverWs.Hosting;

namespace PubSubOverWs.LoadTest.Harness.Clients;

/// <summary>Credentials of this program for servers with users.</summary>
/// <param name="Login">For every connection; null: none is sent.</param>
/// <param name="Passcode">Null only together with <paramref name="Login"/>.</param>
/// <param name="StatsToken">The bearer token for <c>/stats</c>; null: none is sent.</param>
public sealed record ServerAccess(string? Login, Secret? Passcode, Secret? StatsToken)
{
    /// <summary>For servers without users.</summary>
    public static ServerAccess None { get; } = new(null, null, null);

    /// <summary>The options that were given, with secrets masked.</summary>
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

/// <summary>A value that must not appear in a record, a log or a message. Its text is a mask.</summary>
public sealed class Secret(string value)
{
    public const string Mask = "given, not recorded";

    /// <summary>Only to be sent.</summary>
    public string Value { get; } = value;

    /// <summary>Reads a file with one secret; a line end after it is ignored.</summary>
    /// <param name="option">The option that names the file, for messages.</param>
    /// <param name="isToken">It is sent as an HTTP header.</param>
    /// <exception cref="RefusalException">The file cannot be read or is empty, or the secret could never match.</exception>
    public static Secret Read(string option, string path, bool isToken)
    {
        try
        {
            var text = File.ReadAllText(path).TrimEnd('\r', '\n');
            if (SecretText.FindFault(text, isToken) is { } fault)
                throw new RefusalException($"The file {path} of {option} {fault}.");
            return text.Length > 0
                ? new Secret(text)
                : throw new RefusalException($"The file {path} of {option} is empty: write the secret into it.");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new RefusalException($"The file of {option} cannot be read: {failure.Message}", failure);
        }
    }

    public override string ToString() => Mask;
}
