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
