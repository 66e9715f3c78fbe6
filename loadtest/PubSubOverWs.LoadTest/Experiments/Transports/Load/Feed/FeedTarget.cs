using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load.Feed;

/// <summary>The feed server: one for all arms where they run at once, else one for each.</summary>
public sealed class FeedTarget : Target
{
    public override string Name => TransportArms.Target;

    public override IEnumerable<string> Processes(TargetUse use) => !use.IsRun ? []
        : use.Scenario.IsTogether ? ["feed server", "fault proxy"] : ["a feed server for each arm"];

    public override Task CheckAsync(TargetUse use, TimeProvider time, CancellationToken stopping)
    {
        // Latency is the difference of a stamp here and one of the server.
        RefusalException.ThrowUnless(!use.IsRun || OperatingSystem.IsLinux(),
            "The clocks of two processes can be compared on Linux only, where both read the machine's monotonic clock: run this scenario "
                + "there.");
        return Task.CompletedTask;
    }

    public override Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping) =>
        block.OpenAllAsync(
            arms, arm => FeedServer.ChildCommand with { Name = block.Plan.Scenario.SetUp(arm).NameFor(arm) }, stopping, hasStats: false);
}
