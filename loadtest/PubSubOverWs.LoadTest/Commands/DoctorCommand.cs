using System.CommandLine;
using System.CommandLine.Completions;
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
        { DefaultValueFactory = _ => "paper", Description = "scenario to check for; default: paper", HelpName = "SCENARIO" };
        var quick = new Option<bool>("--quick") { Description = "the smaller form of the scenario" };
        scenario.CompletionSources.Add(_ => ScenarioFiles.Names.Select(name => new CompletionItem(name)));
        var json = JsonOption.Create("the findings as JSON");
        var command = new Command("doctor", "Check this machine for a scenario, and show how to fix it.") { scenario, quick, json };
        command.SetAction(async (parsed, stopping) => (int)await ExamineAsync(
            parsed.GetRequiredValue(scenario), parsed.GetValue(quick), parsed.GetValue(json), terminal, stopping));
        return command;
    }

    private static async Task<ExitCode> ExamineAsync(string name, bool quick, bool json, Terminal terminal, CancellationToken stopping)
    {
        var scenario = new ScenarioChanges { Quick = quick }.ApplyTo(ScenarioFiles.Load(name));
        var machine = await MachineProbe.LookAsync(TargetList.Programs, stopping);
        var demand = new Demand(scenario.MostUsers, scenario.Pinning, LoopbackOnly: true, StartsServers: true)
        { ConnectionsPerUser = scenario.ConnectionsPerUser };
        var findings = Examination.Of(machine, demand);
        var refused = findings.Any(finding => finding.Level == CheckLevel.Refusal);
        if (json)
            await terminal.Output.WriteAsync(DocumentJson.Write(ExaminationDocument.Of(scenario.Name, findings)));
        else
            await WriteAsync(scenario.Name, findings, refused, terminal.Output);
        return refused ? ExitCode.BadUsage : ExitCode.Success;
    }

    private static async Task WriteAsync(string scenario, IReadOnlyList<Finding> findings, bool refused, TextWriter output)
    {
        foreach (var finding in findings)
            await output.WriteLineAsync(finding.Line);
        await output.WriteLineAsync(refused ? $"This machine cannot run '{scenario}' as it is." : $"This machine can run '{scenario}'.");
    }
}
