using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load.Server;

/// <summary>The stream server of this program.</summary>
public sealed class StreamTarget : Target
{
    public override string Name => InterferenceArms.Server;

    public override IEnumerable<string> Processes(TargetUse use) => use.IsRun ? ["stream server"] : [];

    public override Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping) =>
        block.OpenAllAsync(
            arms, _ => ChildCommand.ThisProgram(StreamServer.Command) with { Environment = ChildCommand.OfServers }, stopping,
            hasStats: false);
}

/// <summary>Another server of the same protocol, which is running already.</summary>
public sealed class ReferenceTarget : Target
{
    public override string Name => InterferenceArms.Reference;

    public override string AddressHelp =>
        "stream server to measure beside that of this program: the published one, or any that clients use in the same way";

    public override bool IsStartedByRuns => false;

    public override void Check(TargetUse use)
    {
        base.Check(use);
        RefusalException.ThrowUnless(!use.IsRun || use.Address is not null,
            $"The arm {Name} is a server that the run does not start: start one, and give its address with {AddressOption}, or omit the "
                + "arm.");
    }

    public override IEnumerable<string> Processes(TargetUse use) =>
        use.Address is { } address && use.IsRun ? [$"stream server at {address} (not started by the run)"] : [];

    public override Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping) =>
        block.OpenAllAsync(arms, _ => null, stopping, hasStats: false);
}
