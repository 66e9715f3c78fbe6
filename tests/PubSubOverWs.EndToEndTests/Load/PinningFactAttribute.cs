using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Load;

/// <summary>A fact about pinned processes; skipped where nothing can be pinned, with the reason.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class PinningFactAttribute : FactAttribute
{
    public PinningFactAttribute() => Skip = PinningPlan.ForThisMachine(wanted: true).WhyNot;
}
