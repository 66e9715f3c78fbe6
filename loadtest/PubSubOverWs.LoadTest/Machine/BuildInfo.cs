using System.Reflection;
using System.Runtime.InteropServices;

namespace PubSubOverWs.LoadTest.Machine;

/// <summary>What was built: from the assembly itself, so that a copy without its checkout still knows.</summary>
public static class BuildInfo
{
    private static readonly string[] Parts =
        (typeof(BuildInfo).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "0.0.0").Split(
            '+', 2);

    public static string Version => Parts[0];

    /// <summary>
    /// The commit it was built from, with <c>-changed</c> when it was built from something else; null outside a checkout.
    /// </summary>
    public static string? Commit => Parts.Length == 2 ? Parts[1] : null;

    public static string Runtime => RuntimeInformation.FrameworkDescription;
}
