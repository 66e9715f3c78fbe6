using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Runs;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>
/// <c>doctor [SCENARIO]</c>: checks this machine, and servers that should already be running, for a run with the same options, and says how
/// to fix what it finds.
/// </summary>
public static class DoctorCommand
{
    private const string Default = "paper";

    public static Command Create(Terminal terminal)
    {
        var options = new RunOptions();
        var command = new GroupedCommand(
            "doctor", $"Check this machine for a run with the same options, and show how to fix it; default: {Default}.");
        options.AddTo(command);
        command.SetAction(async (parsed, stopping) => (int)await ExamineAsync(options.Read(parsed), terminal, stopping));
        return command;
    }

    private static async Task<ExitCode> ExamineAsync(RunRequest request, Terminal terminal, CancellationToken stopping)
    {
        RefusalException.ThrowUnless(!request.SelfTest, "'doctor' takes no --self-test: use doctor smoke, whose needs are the same.");
        request = request with { Scenario = request.Scenario ?? (request.Resume is null ? Default : null) };
        // Like a dry run, it starts nothing.
        RunRules.Check(request with { DryRun = true });
        var job = RunJobs.Make(request, Environment.CurrentDirectory, terminal.Time.GetUtcNow());
        var scenario = job.Scenario.Name;
        var findings = await Preflight.ExamineAsync(job, holdsLock: false, stopping);
        if (!request.Json)
            foreach (var finding in findings)
                await terminal.Output.WriteLineAsync(finding.Line);

        // Its sentence is the last one, and its exit code says whether to wait or to correct something.
        await Preflight.CheckTargetsAsync(job, terminal.Time, stopping);
        var refused = findings.Any(finding => finding.Level == CheckLevel.Refusal);
        if (request.Json)
            await terminal.Output.WriteAsync(DocumentJson.Write(ExaminationDocument.Of(scenario, findings)));
        else
            await terminal.Output.WriteLineAsync(
                refused ? $"This machine cannot run '{scenario}' as it is." : $"This machine can run '{scenario}'.");
        return refused ? ExitCode.BadUsage : ExitCode.Success;
    }
}
