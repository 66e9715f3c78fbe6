using System.Runtime.InteropServices;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>The <c>dotnet</c> that runs this program, for its children, whatever the PATH names.</summary>
public static class DotnetHost
{
    public static string Path { get; } = Find(Environment.ProcessPath, RuntimeEnvironment.GetRuntimeDirectory());

    /// <param name="processPath">This process: <c>dotnet</c> itself, or an executable with the host in it.</param>
    /// <param name="runtimeDirectory"><c>ROOT/shared/Microsoft.NETCore.App/VERSION/</c>.</param>
    public static string Find(string? processPath, string runtimeDirectory)
    {
        if (System.IO.Path.GetFileNameWithoutExtension(processPath) == "dotnet")
            return processPath!;
        var name = OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet";
        var beside = System.IO.Path.GetFullPath(System.IO.Path.Combine(runtimeDirectory, "..", "..", "..", name));
        return File.Exists(beside) ? beside : name;
    }
}

/// <summary>
/// Environment variables that a child must not inherit. Only the run sets the access, addresses and behaviour of its servers, and records
/// them: a setting in the user's shell would make the arms unequal without anyone noticing.
/// </summary>
public static class InheritedSettings
{
    /// <summary>Prefixes that ASP.NET Core removes when it reads variables as settings.</summary>
    private static readonly string[] Prefixes = ["ASPNETCORE_", "DOTNET_", ""];

    private static readonly string[] Sections = ["Access", "Kestrel", "URLS", "HTTP_PORTS", "HTTPS_PORTS", "Direct", "Relay", "Sqs",
        "LocalSqs"];

    /// <summary>Kept for the user's own queue (<c>--sqs-endpoint</c>); for every other queue the run sets them.</summary>
    private static readonly string[] Keys = ["Sqs:AccessKey", "Sqs:SecretKey", "Sqs:SessionToken"];

    public static bool AreKept(string variable) =>
        !Prefixes.Any(prefix => variable.StartsWith(prefix, StringComparison.OrdinalIgnoreCase) && IsSet(variable[prefix.Length..]));

    // Both separate a section from its settings.
    private static bool IsSet(string variable)
    {
        var setting = variable.Replace("__", ":", StringComparison.Ordinal);
        return Sections.Contains(setting.Split(':')[0], StringComparer.OrdinalIgnoreCase)
            && !Keys.Contains(setting, StringComparer.OrdinalIgnoreCase);
    }
}
