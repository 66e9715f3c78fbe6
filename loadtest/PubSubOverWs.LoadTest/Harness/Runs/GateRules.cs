using PubSubOverWs.Report.Gates;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>Refuses gates that the run cannot answer, and a file for them that cannot be written, before the run.</summary>
public static class GateRules
{
    /// <exception cref="RefusalException">Names the gate or the file, and what to do.</exception>
    public static void Check(RunJob job)
    {
        // Those of a run that is resumed were checked when it began.
        var gates = job.Before is null ? job.Scenario.Gates : job.Request.Changes.Gates;
        foreach (var gate in gates.Select(text => Gate.Parse(text, job.Scenario)))
        {
            GateQuantity[] asked = gate.Right is null ? [gate.Left] : [gate.Left, gate.Right];
            if (asked.Select(quantity => WhyNot(job.Scenario, quantity)).FirstOrDefault(why => why is not null) is { } unanswered)
                throw new RefusalException($"The gate '{gate.Text}' cannot be answered by this run: {unanswered}.");
        }

        if (job.Request.JUnit is { } junit)
            OutputFile.Check("--junit", junit);
    }

    private static string? WhyNot(Scenario scenario, GateQuantity asked)
    {
        var metric = asked.Metric;
        if (scenario.FindArm(asked.Arm) is null)
            return $"it does not have the arm {asked.Arm}; add it to --arms, or omit the gate";
        if (metric.NeedsReceipts && !scenario.Receipts)
            return $"{metric.Gate} counts acknowledged messages; add --receipts";
        // By itself a latency is of the first flow that is judged.
        var flow = scenario.Flows.FirstOrDefault(one => metric.Gate.StartsWith(one.Name + '.', StringComparison.Ordinal))
            ?? scenario.Flows.First(one => one.Judged);
        foreach (var level in scenario.Levels)
        {
            if (scenario.AttemptsOf(flow, level) is { } messages && messages < metric.LeastSamples)
                return Invariant($"at {level} an iteration has {messages} messages, and {metric.Gate} needs {metric.LeastSamples}; ask ")
                    + "for a percentile that needs fewer (p50: 20, p90: 100, p99: 1,000) or the mean, or measure only levels with enough";
        }

        return null;
    }
}
