using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Report.Gates;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>Refuses a baseline that the run could not be compared with, before the run instead of after it.</summary>
public static class BaselineRules
{
    /// <exception cref="RefusalException">Lists every known difference.</exception>
    public static void Check(RunJob job, DateTimeOffset now)
    {
        if (BaselineFolder.Read(job.Request.Baseline, Gate.From(job.Scenario)) is not { } baseline)
            return;
        var planned = RunDescription.Start(job, PinningPlan.ForThisMachine(job.Scenario.Pinning), now);
        string[] obstacles = [.. Comparability.Unusable(baseline, "the baseline"),
            .. Comparability.Differences(baseline.Run, planned, "the baseline", "this run")];
        if (obstacles.Length > 0)
            throw new RefusalException(
                ExitCode.NotComparable,
                $"This run could not be compared with its baseline ({string.Join("; ", obstacles)}): measure the baseline with the same "
                    + "settings, or omit --baseline.");
    }
}

/// <summary>The record that <c>--baseline</c> names.</summary>
public static class BaselineFolder
{
    /// <summary>A gate that refers to the baseline.</summary>
    public static string Example => $"{PubSubTarget.Kind}.latency.mean <= baseline * 1.10 + 2ms";

    /// <param name="folder">Null: no baseline was given.</param>
    /// <exception cref="RefusalException">No gate refers to the baseline: a gate was forgotten.</exception>
    /// <exception cref="RecordException">The record cannot be used.</exception>
    public static RunFolder? Read(string? folder, IEnumerable<Gate> gates) => folder switch
    {
        null => null,
        _ when gates.Any(gate => gate.NeedsBaseline) => RecordReader.Read(folder),
        _ =>
            throw new RefusalException(
                $"--baseline has no effect without a gate that names it: omit it, or add --gate \"{Example}\"."),
    };
}
