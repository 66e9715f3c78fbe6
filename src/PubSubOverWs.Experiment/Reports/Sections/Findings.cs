using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Claims;
using PubSubOverWs.Experiment.Costs;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Metrics;
using PubSubOverWs.Experiment.Predictions;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports.Rows;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Reports.Sections;

/// <summary>What was found, in a few sentences; what makes a run worth nothing comes first.</summary>
internal static class Findings
{
    /// <summary>What such a run can never show.</summary>
    public static string ReachOf(ReportModel model) => model.AgainstItself is not null
        ? "This is an A/A run: both arms are one program, and what differs is noise. It says what the set-up can resolve, and nothing "
            + "about the servers."
        : model.Fault is { Profile: NoFault.Name }
        ? "This is what runs under a fault are held against, not a replication of the paper: publishers send to subscribers on other "
            + "connections, and nothing is broken."
        : model.Fault is not null
        ? "This is a demonstration of a mechanism, not a replication of the paper: something is broken on purpose, and what follows from "
            + "how it is broken was predicted before the run."
        : "This is a replication without the authors' artefacts, on other hardware: it can say whether signs and ratios come out again, "
            + "never whether milliseconds or Kbps do.";

    public static IReadOnlyList<string> Of(ReportModel model) =>
        [.. Warnings(model.Facts), ReachOf(model), .. Measured(model), .. Limits(model), .. Costs(model)];

    /// <summary>What takes the worth of a run, or part of it; none for most.</summary>
    public static IEnumerable<string> Warnings(RunFacts facts)
    {
        var broken = facts.Validity.Where(check => check.Holds == false).ToArray();
        if (broken.Length > 0)
            yield return $"THIS RUN IS INVALID, and nothing may be concluded from it: "
                + $"{string.Join("; ", broken.Select(check => $"{check.Name} ({check.Detail})"))}.";
        if (!facts.Progress.Complete)
            yield return $"This run is INCOMPLETE: {facts.Progress.Recorded} of {facts.Progress.Planned} rows and "
                + $"{facts.Progress.BlocksWhole} of {facts.Progress.BlocksPlanned} blocks are there, and only they are shown.";
        if (facts.Scenario is not RelayScenario scenario)
            yield break;
        if (scenario.QueueLatency.IsSimulated)
            yield return $"Simulated distance: LocalSqs held each answer back by {Duration.Text(scenario.QueueLatency.P50)} (p50) "
                + $"to {Duration.Text(scenario.QueueLatency.P99)} (p99, lognormal). No figure here is one of AWS.";
        if (scenario.PubSubNodes > 1)
            yield return Nodes(scenario, facts.SetUp);
    }

    /// <summary>Loss, latency and bytes, a sentence each where there is something to say; at least one.</summary>
    public static IEnumerable<string> Measured(ReportModel model) => model.Losses.Count == 0
        ? [Loss(model.Losses)]
        : new[] { model.Fault is { } fault ? FaultSection.Sentence(fault) : null,
            model.AgainstItself is { } found ? NoiseSection.Sentence(found) : null, Loss(model.Losses), Latency(model),
            model.AgainstItself is null ? Bytes(model) : null }.OfType<string>();

    /// <summary>What the size and the set-up of this run do not allow to be called found.</summary>
    public static IEnumerable<string> Limits(ReportModel model)
    {
        if (model.Losses.Count == 0)
            yield break;
        if (model.Scenario.Fault.KillsServers)
            yield return "Bytes to clients, calls to the queue and what servers dropped are not counted here: a server that is killed "
                + "takes its counts with it.";
        if (model.Fault is { } fault)
        {
            yield return Reach(model, fault);
            yield break;
        }

        if (model.Losses.Min(row => row.Iterations) is var least && least < Decision.LeastCount)
            yield return $"With {Format.Count(least, "iteration")} at the least measured level nothing there is judged: that takes "
                + $"{Decision.LeastCount}, in {Comparison.LeastBlocks} blocks.";
        if (model.AgainstItself is not null)
            yield break;
        foreach (var sentence in PowerText.Of(model))
            yield return sentence;
        yield return model.NoiseFloor switch
        {
            null => "The noise floor is not measured, so nothing here is called reproduced or without a difference.",
            { Passes: false } => "The set-up failed its A/A run, so nothing here is called reproduced or without a difference.",
            var noise =>
                $"Two instances of one server differed by up to {NoiseSection.Floor(noise.Loss, noise.Latency, noise.Bytes)}: nothing "
                    + "below that is called reproduced.",
        };
    }

    /// <summary>What the queue cost, where that was asked.</summary>
    public static IEnumerable<string> Costs(ReportModel model)
    {
        if (model.Losses.Count > 0 && model.Bill is { } bill)
            yield return $"The queue was expected to cost {BillText.Expected(bill)}; {BillText.Made(bill)}.";
    }

    private static string Reach(ReportModel model, FaultFound fault)
    {
        FaultArm[] arms = [.. fault.Levels.SelectMany(level => level.Arms)];
        var actions = arms.Max(arm => arm.Deeds) == 0
            ? ""
            : $", with {Format.Span(arms.Select(arm => (double)arm.Deeds), actions => Format.Fixed(actions, 0))} deeds";
        return $"n is {Format.Count(arms.Min(arm => arm.Iterations), "iteration")} of an arm at the least, in "
            + $"{Format.Count(model.Progress.BlocksWhole, "block")}{actions}, on one machine: no line that compares arms is judged below "
            + $"{Losses.LeastIterations} iterations"
            + (model.Scenario.Fault.LeastDeeds is > 0 and var least ? $", and none below {least} deeds in each arm." : ".");
    }

    private static string Nodes(RelayScenario scenario, SetUp setUp) =>
        $"Pubsub is {Format.Whole(scenario.PubSubNodes)} servers here, which share the work through SQS and SNS: the users were "
            + "spread over them evenly, and CPU, bytes and calls are sums over all. No figure of pubsub here is one of a single server."
        + (setUp.Pinned.Count == 0 ? "" : " All of them ran on one core, so nothing here says what more machines would bring.");

    /// <summary>How many messages were lost, by arm.</summary>
    public static string Loss(IReadOnlyList<LossRow> losses)
    {
        if (losses.Count == 0)
            return "Nothing was measured.";
        var arms = losses.GroupBy(row => row.Arm)
            .Select(arm => (Name: arm.Key, Sum: arm.Aggregate(new Buckets { Attempts = 0 }, (sum, row) => sum.Add(row.Buckets)))).ToArray();
        var counts = string.Join(", ", arms.Select(arm => arm.Sum.Lost == 0
            ? $"{arm.Name} 0 of {arm.Sum.Attempts}"
            : $"{arm.Name} {arm.Sum.Lost} of {arm.Sum.Attempts} ({Format.Percent(arm.Sum.EndToEndLoss, 3)}; "
                + $"{LossSection.Causes(arm.Sum.Causes)})"));
        return arms.All(arm => arm.Sum.Lost == 0) ? $"Nothing was lost: {counts} messages." : $"Messages lost: {counts}.";
    }

    private static string? Latency(ReportModel model)
    {
        var rows = model.Latency.Rows.Where(row => row.Measured.Ratio is not null && row.Measured.Count > 0).Select(row => row.Measured)
            .ToArray();
        if (rows.Length == 0)
            return null;
        var higher = rows.Count(row => row.Judged.HolmP < Decision.Alpha && row.Judged.Sign > 0);
        var lower = rows.Count(row => row.Judged.HolmP < Decision.Alpha && row.Judged.Sign < 0);
        var (first, second) = model.Compared;
        return $"{(model.Fault is null ? "" : "Over what was delivered: ")}"
            + $"{(model.AgainstItself is null ? model.Fault is null ? "Pubsub" : second : second)}"
            + $"'s mean latency was {Format.Span(rows.Select(row => row.Ratio!.Value), Format.Short)} times {first}'s; "
            + (model.Fault is null
                ? $"of {Format.Count(rows.Length, "level")} it was significantly higher at {higher} and significantly lower at {lower}."
                : $"of the medians over iterations, which a few slow ones do not move, {Robust(rows)}. Latencies under a fault are "
                    + "skewed: means of them are shown, and not judged.");
    }

    private static string Robust(Comparison[] rows)
    {
        double[] ratios = [.. rows.Where(row => row.FirstMedian > 0).Select(row => row.SecondMedian!.Value / row.FirstMedian!.Value)];
        var ranks = rows.Select(row => row.Exploratory?.MannWhitney).OfType<RankTest>().ToArray();
        return (ratios.Length == 0 ? "there is no ratio" : $"{Format.Span(ratios, Format.Short)} times")
            + (ranks.Length == 0 ? "" : $" (Mann-Whitney {string.Join(", ", ranks.Select(PText.Equation))})");
    }

    private static string? Bytes(ReportModel model)
    {
        var rows = model.Bytes.Rows.Where(row => row.Measured.Ratio is not null && row.Measured.Count > 0).ToArray();
        if (rows.Length == 0)
            return null;
        var (first, second) = model.Compared;
        double[] all =
        [
            .. from users in rows.Select(row => row.Measured.Users)
               let one = model.Egress.Single(row => row.Arm == first && row.Users == users).PerMessage.BytesOut
               let other = model.Egress.Single(row => row.Arm == second && row.Users == users).PerMessage.BytesOut
               where one > 0 && other is not null
               select other.Value / one.Value,
        ];
        return $"Per delivered message {second} sent its clients "
            + $"{Format.Span(rows.Select(row => row.Measured.Ratio!.Value), Format.Ratio)} "
            + $"times {first}'s bytes"
            + (all.Length == 0 ? "." : $", and {Format.Span(all, Format.Short)} times when its traffic to the queue is counted too.");
    }
}
