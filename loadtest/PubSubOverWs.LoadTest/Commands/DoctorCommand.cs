using System.CommandLine;
using PubSubOverWs.Experiment;
using PubSubOverWs.LoadTest.Machine;
using PubSubOverWs.LoadTest.Runs;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>doctor [SCENARIO]</c>: checks this machine for a scenario, and says how to fix what it finds.</summary>
public static class DoctorCommand
{
    public static Command Create(Terminal terminal)
    {
        var scenario = new Argument<string>("SCENARIO")
        { DefaultValueFactory = _ => "paper", Description = "scenario to check for; default: paper" };
        var quick = new Option<bool>("--quick") { Description = "the smaller form of the scenario" };
        var command = new Command("doctor", "Check this machine for a scenario, and show how to fix it.") { scenario, quick };
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
            await terminal.Output.WriteLineAsync(finding.Line);

        var refused = findings.Any(finding => finding.Level == CheckLevel.Refusal);
        await terminal.Output.WriteLineAsync(refused
            ? $"This machine cannot run '{scenario.Name}' as it is."
            : $"This machine can run '{scenario.Name}'.");
        return refused ? ExitCode.BadUsage : ExitCode.Success;
    }
}
