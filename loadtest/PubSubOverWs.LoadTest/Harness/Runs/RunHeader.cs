using PubSubOverWs.LoadTest.Harness.Live;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>The first lines of a run, before anything is checked or started: what it does, where, and for how long.</summary>
public static class RunHeader
{
    public static IEnumerable<(string Word, string Text)> Write(RunJob job)
    {
        var scenario = job.Scenario;
        yield return ("run", $"{scenario.Name}: {string.Join(", ", scenario.Arms)} at {Levels(scenario)}");
        yield return (
            "iterations", Invariant($"{scenario.Iterations} of each in {scenario.Blocks} block{(scenario.Blocks == 1 ? "" : "s")}")
            + (job.Before is null ? "" : Invariant($"; {job.Trials.Count} in all are still to run")));
        if (job.Request.Client == ClientKind.Browser)
            yield return ("clients", "all in one page of a Chromium");
        if (scenario.Workers > 1)
            yield return ("clients", Invariant($"shared by {scenario.Workers} load processes"));
        yield return ("record", job.Folder);
        yield return ("time", $"{Time(job)}; Ctrl-C stops it and keeps everything that was recorded");
    }

    /// <summary>How long the job takes, estimated; with all warm-ups beside it, where arms may have fewer.</summary>
    public static string Time(RunJob job) => $"about {ProgressText.Duration(job.ExpectedIfSteady)}"
        + (job.IsAtMost ? $", up to {ProgressText.Duration(job.Expected)} with all warm-ups" : "");

    private static string Levels(Scenario scenario) => scenario.Factors.Count == 1
        ? $"{scenario.Factors[0].Name} {string.Join(", ", scenario.Levels.Select(level => level.Settings[0].Text))}"
        : Invariant($"{scenario.Levels.Count} levels of {string.Join(" x ", scenario.Factors.Select(factor => factor.Name))}");
}
