namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>
/// Servers that are no part of the program and speak STOMP 1.2 over WebSockets, such as RabbitMQ: an arm for each. They have no
/// <c>/stats</c> that the run could read, and whether they keep messages is not asked.
/// </summary>
public sealed class ServerElsewhereTarget : Target
{
    /// <summary>The option for an address, which may be repeated.</summary>
    public const string Option = "--target";

    /// <summary>The option for the id of its process.</summary>
    public const string ProcessOption = "--target-process";

    public override string Name => Arm.Elsewhere;

    public override void CheckOptions(TargetOptions options)
    {
        foreach (var name in options.ProcessesElsewhere.Keys)
            RefusalException.ThrowUnless(options.Elsewhere.ContainsKey(name),
                $"{ProcessOption} names {name}, which has no address: add {Option} {name}=stomp+ws://HOST:PORT/PATH, or omit it.");
    }

    public override void Check(TargetUse use)
    {
        foreach (var arm in use.Arms)
            RefusalException.ThrowUnless(use.Options.Elsewhere.ContainsKey(arm.Name),
                $"The experiment {use.Scenario.Kind.Name} has no arm {arm} of its own, and {Option} gives no address of one: its arms are "
                    + $"{string.Join(", ", use.Scenario.Kind.Arms)}; add {Option} {arm}=stomp+ws://HOST:PORT/PATH to measure another "
                    + "server.");
    }

    public override async Task CheckAsync(TargetUse use, TimeProvider time, CancellationToken stopping)
    {
        foreach (var arm in use.Arms)
            await new AddressCheck(arm.Name, Option, use.Options.Elsewhere[arm.Name], use.Options.Access, time).ReachAsync(stopping);
    }

    public override IEnumerable<string> Processes(TargetUse use) =>
        use.Arms.Select(arm => $"{arm} at {use.Options.Elsewhere[arm.Name]} (not started by the run)");

    public override IEnumerable<(string Name, string Value)> Settings(TargetUse use)
    {
        foreach (var arm in use.Arms)
        {
            yield return ($"{Option} {arm}", MaskedAddress.Text(use.Options.Elsewhere[arm.Name]));
            if (use.Options.ProcessesElsewhere.ContainsKey(arm.Name))
                yield return ($"{ProcessOption} {arm}", "given");
        }
    }

    public override Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping) =>
        block.OpenAllAsync(arms, _ => null, stopping, hasStats: false);
}
