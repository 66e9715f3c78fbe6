using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Load;

/// <summary>A fact about Linux processes; skipped elsewhere, with the reason.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LinuxFactAttribute : FactAttribute
{
    public LinuxFactAttribute() => Skip = OperatingSystem.IsLinux() ? null : "Needs Linux: sh, mkfifo and /proc.";

    /// <summary>About what came with that version.</summary>
    public LinuxFactAttribute(int major, int minor) => Skip =
        OperatingSystem.IsLinux() && Environment.OSVersion.Version >= new Version(major, minor) ? null : $"Needs Linux {major}.{minor}.";
}

/// <summary>As <see cref="LinuxFactAttribute"/>, once for each row of data.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LinuxTheoryAttribute : TheoryAttribute
{
    public LinuxTheoryAttribute() => Skip = OperatingSystem.IsLinux() ? null : "Needs Linux: sh, mkfifo and /proc.";
}

/// <summary>A fact about pinned processes; skipped where nothing can be pinned, with the reason.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PinningFactAttribute : FactAttribute
{
    public PinningFactAttribute() => Skip = PinningPlan.ForThisMachine(wanted: true).WhyNot;
}
