using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Compare;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Gates;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Relay;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>A baseline that a run could not be held against is refused before the run, not half an hour later.</summary>
public static class BaselineRules
{
    /// <param name="job">What is to be run.</param>
    /// <param name="now">When.</param>
    /// <exception cref="RefusalException">Names each difference that is known before the run.</exception>
    public static void Check(RunJob job, DateTimeOffset now)
    {
        if (BaselineFolder.Read(job.Request.Baseline, Gate.Of(job.Scenario)) is not { } baseline)
            return;
        var planned = RunDescription.Start(job, PinningPlan.ForThisMachine(job.Scenario.Pinning), now);
        string[] obstacles = [.. Comparability.Unusable(baseline, "the baseline"),
            .. Comparability.Differences(baseline.Run, planned, "the baseline", "this run")];
        if (obstacles.Length > 0)
            throw new RefusalException(
                ExitCode.NotComparable,
                $"This run could not be held against its baseline ({string.Join("; ", obstacles)}): measure the baseline alike, or omit "
                    + "--baseline.");
    }
}

/// <summary>The record that <c>--baseline</c> names.</summary>
public static class BaselineFolder
{
    /// <summary>A gate that names it.</summary>
    public static string Example => $"{PubSubTarget.Kind}.latency.mean <= baseline * 1.10 + 2ms";

    /// <param name="folder">Null: none was named.</param>
    /// <param name="gates">All that are checked.</param>
    /// <exception cref="RefusalException">No gate is held against it: a gate was forgotten.</exception>
    /// <exception cref="RecordException">It cannot be used.</exception>
    public static RunFolder? Read(string? folder, IEnumerable<Gate> gates) => folder switch
    {
        null => null,
        _ when gates.Any(gate => gate.NeedsBaseline) => RecordReader.Read(folder),
        _ =>
            throw new RefusalException(
                $"--baseline has no effect without a gate that names it: omit it, or add --gate \"{Example}\"."),
    };
}
