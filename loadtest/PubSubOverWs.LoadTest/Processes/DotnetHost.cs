using System.Runtime.InteropServices;

namespace PubSubOverWs.LoadTest.Processes;

/// <summary>The <c>dotnet</c> that runs this program, for its children: never another one that the PATH happens to name.</summary>
public static class DotnetHost
{
    public static string Path { get; } = Find(Environment.ProcessPath, RuntimeEnvironment.GetRuntimeDirectory());

    /// <param name="processPath">This process: <c>dotnet</c> itself, or an executable made by the SDK that has the host inside.</param>
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
/// Environment variables that a child must not inherit. The run alone sets the access, addresses and behaviour of its servers, and records
/// them: a setting in the user's shell would make the arms unequal unnoticed.
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
