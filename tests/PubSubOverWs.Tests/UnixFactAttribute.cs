namespace PubSubOverWs.Tests;

/// <summary>A test of shell scripts or of the rights of files as Unix has them.</summary>
public sealed class UnixFactAttribute : FactAttribute
{
    public UnixFactAttribute() =>
        Skip = OperatingSystem.IsWindows() ? "Windows has no sh and no rights of files: run it on Linux or macOS." : null;
}
