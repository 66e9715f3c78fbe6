using PubSubOverWs.Experiment.Costs;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Scenarios;
using PubSubOverWs.Experiment.Verdicts;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>What was found, in a few sentences; what makes a run worth nothing comes first.</summary>
internal static class Findings
{
    public static IReadOnlyList<string> Of(ReportModel model)
    {
        var found = new List<string>();
        var broken = model.Validity.Where(check => check.Holds == false).ToArray();
        if (broken.Length > 0)
            found.Add($"THIS RUN IS INVALID, and nothing may be concluded from it: {string.Join("; ", broken.Select(check => $"{check.Name} ({check.Detail})"))}.");
        if (!model.Progress.Complete)
            found.Add($"This run is INCOMPLETE: {model.Progress.Recorded} of {model.Progress.Planned} rows and {model.Progress.BlocksWhole} of {model.Progress.BlocksPlanned} blocks are there, and only they are shown.");
        if (model.Scenario.QueueLatency.IsSimulated)
            found.Add($"Simulated distance: LocalSqs held each answer back by {Duration.Text(model.Scenario.QueueLatency.P50)} (p50) to {Duration.Text(model.Scenario.QueueLatency.P99)} (p99, lognormal). No figure here is one of AWS.");
        if (model.Scenario.PubSubNodes > 1)
            found.Add(Nodes(model));
        found.Add("This is a replication without the authors' artefacts, on other hardware: it can say whether signs and ratios come out again, never whether milliseconds or Kbps do.");
        if (model.Losses.Count == 0)
            return [.. found, "Nothing was measured."];
        found.Add(Loss(model));
        if (Latency(model) is { } latency)
            found.Add(latency);
        if (Bytes(model) is { } bytes)
            found.Add(bytes);
        if (model.Losses.Min(row => row.Iterations) is var least && least < Decision.LeastCount)
            found.Add($"With {least} iteration(s) at the least measured level nothing there can be called reproduced or absent: that takes {Decision.LeastCount}.");
        if (model.NoiseFloor is null)
            found.Add("The noise floor is not measured, so the best verdict here is \"direction only\".");
        if (model.Bill is { } bill)
            found.Add($"The queue was expected to cost {BillText.Expected(bill)}; {BillText.Made(bill)}.");
        return found;
    }

    private static string Nodes(ReportModel model) =>
        $"Pubsub is {Show.Whole(model.Scenario.PubSubNodes)} servers here, which share the work through SQS and SNS: the users were spread over them evenly, and CPU, bytes and calls are sums over all. No figure of pubsub here is one of a single server."
        + (model.SetUp.Pinned.Count == 0 ? "" : " All of them ran on one core, so nothing here says what more machines would bring.");

    private static string Loss(ReportModel model)
    {
        var arms = model.Losses.GroupBy(row => row.Arm)
            .Select(arm => (Name: arm.Key, Sum: arm.Aggregate(new Buckets { Attempts = 0 }, (sum, row) => sum.Add(row.Buckets)))).ToArray();
        var counts = string.Join(", ", arms.Select(arm => arm.Sum.Lost == 0
            ? $"{arm.Name} 0 of {arm.Sum.Attempts}"
            : $"{arm.Name} {arm.Sum.Lost} of {arm.Sum.Attempts} ({Show.Percent(arm.Sum.EndToEndLoss, 3)}; {LossSection.Causes(arm.Sum.Causes)})"));
        return arms.All(arm => arm.Sum.Lost == 0) ? $"Nothing was lost: {counts} messages." : $"Messages lost: {counts}.";
    }

    private static string? Latency(ReportModel model)
    {
        var rows = model.Latency.Rows.Where(row => row.Measured.Ratio is not null && row.Measured.Count > 0).Select(row => row.Measured).ToArray();
        if (rows.Length == 0)
            return null;
        var higher = rows.Count(row => row.Iterations.HolmP < Decision.Alpha && row.Iterations.Sign > 0);
        var lower = rows.Count(row => row.Iterations.HolmP < Decision.Alpha && row.Iterations.Sign < 0);
        return $"Pubsub's mean latency was {Show.Span(rows.Select(row => row.Ratio!.Value), Show.Short)} times direct's; "
            + $"of {rows.Length} levels it was significantly higher at {higher} and significantly lower at {lower}.";
    }

    private static string? Bytes(ReportModel model)
    {
        var rows = model.Bytes.Rows.Where(row => row.Measured.Ratio is not null && row.Measured.Count > 0).ToArray();
        if (rows.Length == 0)
            return null;
        double[] all =
        [
            .. from users in rows.Select(row => row.Measured.Users)
               let direct = model.Egress.Single(row => row.Arm == Arms.Direct && row.Users == users).TotalPerDelivered
               let pubsub = model.Egress.Single(row => row.Arm == Arms.PubSub && row.Users == users).TotalPerDelivered
               where direct > 0 && pubsub is not null
               select pubsub.Value / direct.Value,
        ];
        return $"Per delivered message pubsub sent its clients {Show.Span(rows.Select(row => row.Measured.Ratio!.Value), Show.Ratio)} times direct's bytes"
            + (all.Length == 0 ? "." : $", and {Show.Span(all, Show.Short)} times when its traffic to the queue is counted too.");
    }
}
