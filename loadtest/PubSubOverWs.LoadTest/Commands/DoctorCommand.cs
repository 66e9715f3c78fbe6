using System.CommandLine;
using PubSubOverWs.Experiment;
using PubSubOverWs.LoadTest.Machine;
using PubSubOverWs.LoadTest.Runs;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>doctor [SCENARIO]</c>: checks this machine for a scenario, and says how to mend what it finds.</summary>
public static class DoctorCommand
{
    public static Command Create(Terminal terminal)
    {
        var scenario = new Argument<string>("SCENARIO")
        { DefaultValueFactory = _ => "paper", Description = "what the machine is to carry; paper if left out" };
        var quick = new Option<bool>("--quick") { Description = "the scenario's smaller form" };
        var command = new Command("doctor", "Check this machine for a scenario and say how to mend it.") { scenario, quick };
        command.SetAction(async (parsed, stopping) =>
            (int)await ExamineAsync(parsed.GetRequiredValue(scenario), parsed.GetValue(quick), terminal, stopping));
        return command;
    }

    private static async Task<ExitCode> ExamineAsync(string name, bool quick, Terminal terminal, CancellationToken stopping)
    {
        var scenario = new ScenarioChanges { Quick = quick }.ApplyTo(ScenarioFiles.Load(name));
        var machine = await MachineProbe.LookAsync(TargetList.Programs, stopping);
        var demand = new Demand(scenario.MostUsers, scenario.Pinning, LoopbackOnly: true, StartsServers: true)
        { ConnectionsPerUser = scenario.ConnectionsPerUser };
        var findings = Examination.Of(machine, demand);
        foreach (var finding in findings)
            await terminal.Output.WriteLineAsync(FindingText.Line(finding));

        var refused = findings.Any(finding => finding.Level == CheckLevel.Refusal);
        await terminal.Output.WriteLineAsync(refused
            ? $"This machine cannot carry '{scenario.Name}' as it is."
            : $"This machine can carry '{scenario.Name}'.");
        return refused ? ExitCode.BadUsage : ExitCode.Success;
    }
}
