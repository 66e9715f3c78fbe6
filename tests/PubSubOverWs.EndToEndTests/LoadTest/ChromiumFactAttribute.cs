using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>A fact about a run whose clients are in a browser; skipped with the reason where there is none.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ChromiumFactAttribute : FactAttribute
{
    public ChromiumFactAttribute() => Skip =
        !OperatingSystem.IsLinux() ? "Needs Linux, where the processes of a browser are measured."
        : Chromium.Program is null ? "Needs a browser: there is no Chromium on the PATH."
        : null;
}
