namespace PubSubOverWs.LoadTest.Load.Children;

/// <summary>Variables that a child must not take over from this program's environment: who may use a server and where it listens is what the run says.</summary>
public static class InheritedSettings
{
    /// <summary>With which ASP.NET Core reads variables as settings; the last: as they are.</summary>
    private static readonly string[] Prefixes = ["ASPNETCORE_", "DOTNET_", ""];

    private static readonly string[] Settings = ["Access", "Kestrel", "URLS", "HTTP_PORTS", "HTTPS_PORTS"];

    public static bool AreKept(string variable) => !Prefixes.Any(prefix =>
        variable.StartsWith(prefix, StringComparison.OrdinalIgnoreCase) && Settings.Contains(Section(variable[prefix.Length..]), StringComparer.OrdinalIgnoreCase));

    // Both are read as the border between a section and what is in it.
    private static string Section(string setting) => setting.Split("__")[0].Split(':')[0];
}
