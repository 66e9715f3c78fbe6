using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>The server that relays without a queue; one of its arms has a buffer in memory.</summary>
public sealed class DirectTarget : Target
{
    public static ServerProgram Program { get; } = new("direct", "DirectServer");

    public static string Kind => Program.Name;

    public override string Name => Kind;

    public override string AddressHelp => $"measure this {Name} server instead of starting one";

    public override IReadOnlyList<ServerProgram> Programs => [Program];

    public override IEnumerable<string> Processes(TargetUse use)
    {
        var buffered = use.Arms.Where(arm => use.Scenario.SetUp(arm).Settings.ContainsKey("Direct:Buffer")).ToArray();
        if (use.Arms.Except(buffered).Any())
            yield return use.Address is { } address ? $"{Name} server at {address} (not started by the run)"
                : use.Scenario.IsAgainstItself ? $"two {Name} servers" : $"{Name} server";
        if (buffered.Length > 0)
            yield return $"{Name} server with a buffer";
    }

    public override Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping)
    {
        var isThere = block.Plan.Options.Addresses.ContainsKey(Name);
        return block.OpenAllAsync(
            arms, arm => isThere ? null : Program.Command() with { Name = block.Plan.Scenario.SetUp(arm).NameFor(arm) }, stopping);
    }
}
