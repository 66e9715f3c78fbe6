using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.LoadTest.Targets.NullEcho;

/// <summary>The floor of the set-up: no server of the product, but a hidden command of this program.</summary>
public sealed class NullEchoTarget : Target
{
    public override string Name => Arm.Floor.Target;

    public override IEnumerable<string> Processes(TargetUse use) => use.IsRun ? ["null echo"] : [];

    public override async Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping) =>
        await Task.WhenAll(arms.Select(arm => block.OpenAsync(arm, NullEcho.ChildCommand, stopping, hasStats: false)));
}
