namespace PubSubOverWs.EndToEndTests.Load;

/// <summary>As <see cref="LinuxFactAttribute"/>, once for each row of data.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LinuxTheoryAttribute : TheoryAttribute
{
    public LinuxTheoryAttribute() => Skip = OperatingSystem.IsLinux() ? null : "Needs Linux: sh, mkfifo and /proc.";
}
