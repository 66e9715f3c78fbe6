namespace PubSubOverWs.LoadTest.Processes;

/// <summary>
/// Variables that a child must not take over from this program's environment. Who may use a server, where it listens and how it works is
/// what the run says, and what stands in the record: a setting in somebody's shell would make the arms unequal, and nobody would see it.
/// </summary>
public static class InheritedSettings
{
    /// <summary>With which ASP.NET Core reads variables as settings; the last: as they are.</summary>
    private static readonly string[] Prefixes = ["ASPNETCORE_", "DOTNET_", ""];

    private static readonly string[] Sections = ["Access", "Kestrel", "URLS", "HTTP_PORTS", "HTTPS_PORTS", "Direct", "Relay", "Sqs",
        "LocalSqs"];

    /// <summary>Of the user's own queue (<c>--sqs-endpoint</c>), which the run does not know; it sets them for every other.</summary>
    private static readonly string[] Keys = ["Sqs:AccessKey", "Sqs:SecretKey", "Sqs:SessionToken"];

    public static bool AreKept(string variable) =>
        !Prefixes.Any(prefix => variable.StartsWith(prefix, StringComparison.OrdinalIgnoreCase) && IsSet(variable[prefix.Length..]));

    // Both are read as the border between a section and what is in it.
    private static bool IsSet(string variable)
    {
        var setting = variable.Replace("__", ":", StringComparison.Ordinal);
        return Sections.Contains(setting.Split(':')[0], StringComparer.OrdinalIgnoreCase)
            && !Keys.Contains(setting, StringComparer.OrdinalIgnoreCase);
    }
}
