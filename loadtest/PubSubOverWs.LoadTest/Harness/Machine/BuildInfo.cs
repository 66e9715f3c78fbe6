using System.Reflection;
using System.Runtime.InteropServices;

namespace PubSubOverWs.LoadTest.Harness.Machine;

/// <summary>Version and commit from the assembly itself, so that a copy outside a checkout knows them too.</summary>
public static class BuildInfo
{
    private static readonly string[] Parts =
        (typeof(BuildInfo).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "0.0.0").Split(
            '+', 2);

    public static string Version => Parts[0];

    /// <summary>The commit, with <c>-changed</c> if the build had uncommitted changes; null: built outside a checkout.</summary>
    public static string? Commit => Parts.Length == 2 ? Parts[1] : null;

    public static string Runtime => RuntimeInformation.FrameworkDescription;
}
