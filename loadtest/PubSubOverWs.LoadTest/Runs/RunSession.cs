using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Scenarios;
using PubSubOverWs.LoadTest.Commands;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>One call of <c>run</c>, from what was asked to an exit code.</summary>
public static class RunSession
{
    public static async Task<ExitCode> RunAsync(RunRequest request, Terminal terminal, CancellationToken stopping)
    {
        RunRules.Check(request);
        var scenario = request.Changes.ApplyTo(ScenarioFiles.Load(request.Scenario!));
        if (!request.OwnServersOnly)
            scenario = scenario with { Blocks = 1 };
        var folder = OutputFolder.Choose(request, scenario.Name, Environment.CurrentDirectory, terminal.Time.GetUtcNow());
        await terminal.Output.WriteLineAsync(DryRunText.Of(scenario, Turn.Of(RunPlan.For(scenario)), request, folder));
        return ExitCode.Success;
    }
}
