namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>
/// A fact about a server behind nginx; skipped with the reason where there is none. Sources are other loopback addresses, which only
/// Linux has without setting up.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NginxFactAttribute : FactAttribute
{
    public NginxFactAttribute() => Skip = !OperatingSystem.IsLinux() ? "Needs Linux: clients come from 127.0.0.2 and up."
        : Program is null ? "Needs nginx: it is neither on the PATH nor in /usr/sbin." : null;

    /// <summary>Null: there is none.</summary>
    public static string? Program { get; } = $"{Environment.GetEnvironmentVariable("PATH")}:/usr/sbin".Split(':')
        .Select(folder => Path.Combine(folder, "nginx")).FirstOrDefault(File.Exists);
}
