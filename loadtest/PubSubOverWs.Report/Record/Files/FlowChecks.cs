using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.Record.Files;

/// <summary>
/// Holds what a trial says of one flow against its plan, against itself and against its distribution: the part of <see cref="CrossChecks"/>
/// that is about a flow.
/// </summary>
internal sealed class FlowChecks(IterationRow row, FlowRow flow, RunFolder record)
{
    // Three significant digits, and the microsecond that a value is rounded down to.
    private const double HistogramShare = 0.001;
    private const double HistogramStep = 1;

    /// <exception cref="RecordException">Names the first thing that does not fit.</exception>
    public void Check()
    {
        var scenario = record.Run.Scenario;
        CheckCounts(scenario);
        CheckLatency(flow.FromDue, "due", scenario.Deadline);
        CheckLatency(flow.FromSent, "sent", scenario.Deadline);
        if (record.Latency.TryGetValue((row.Arm, row.Iteration, flow.Flow.Name), out var counted) && counted.Count > 0)
            CheckDistribution(counted);
        CheckSent();
    }

    private void CheckCounts(Scenario scenario)
    {
        var buckets = flow.Buckets;
        if (scenario.AttemptsOf(flow.Flow, row.Level) is { } planned && buckets.Attempts != planned)
            throw Misfit($"has {buckets.Attempts} attempts, and its users have {planned} messages");
        if (buckets.Acknowledged > buckets.Attempts - buckets.Refused - buckets.LostUnacknowledged)
            throw Misfit(
                $"has {buckets.Acknowledged} acknowledged messages, more than were neither refused nor lost without an acknowledgement");
        if (scenario.Receipts && buckets.LostAcknowledged > buckets.Acknowledged)
            throw Misfit($"has lost {buckets.LostAcknowledged} acknowledged messages of {buckets.Acknowledged}");
    }

    // The burst lasts from the first due until the last arrival was seen, or nothing came any more, and nothing is sent before it is due.
    private void CheckSent()
    {
        var due = flow.FromDue;
        var sent = flow.FromSent;
        var seen = record.Run.Scenario.LoadAt(row.Level).EndsWhenQuiet ? row.Burst + row.Drain : row.Burst;
        if (due.Max > seen.TotalMicroseconds + HistogramStep)
            throw Misfit($"has a latency from due of {Csv.Text(due.Max)} us, and its burst lasted {Csv.Text(row.Burst)} us");
        if (sent.Mean > due.Mean || sent.Min > due.Min || sent.P50 > due.P50 || sent.P90 > due.P90 || sent.P99 > due.P99
            || sent.Max > due.Max)
            throw Misfit("has longer latencies from sent than from due, before which nothing is sent");
        if (flow.ScheduleLagP99 is null && flow.Buckets.Attempts > flow.Buckets.Refused)
            throw Misfit("has messages that were sent, and does not say how late");
    }

    private void CheckLatency(LatencySummary latency, string from, TimeSpan deadline)
    {
        if (!latency.IsWhole)
            throw Misfit($"has {latency.Count} latencies from {from}, and lacks a value of them, or has one that takes more");
        double?[] ascending = [.. new[] { latency.Min, latency.P50, latency.P90, latency.P99,
            latency.Max }.Where(value => value is not null)];
        if (!ascending.SequenceEqual(ascending.Order()))
            throw Misfit($"has latencies from {from} whose least, percentiles and largest are in no order");
        if (latency.Mean < latency.Min || latency.Mean > latency.Max)
            throw Misfit($"has a mean latency from {from} that lies outside its least and largest");
        if (latency.StandardDeviation > latency.Max - latency.Min)
            throw Misfit($"has latencies from {from} that spread by more than they differ");
        if (latency.Count != flow.Buckets.Delivered)
            throw Misfit($"has {latency.Count} latencies from {from} and {flow.Buckets.Delivered} delivered messages");
        if (from == "due" && latency.Max > deadline.TotalMicroseconds)
            throw Misfit("has a message that was delivered in time after the deadline");
        CheckRestricted(latency, from, deadline.TotalMicroseconds);
    }

    // A latency above the deadline counts as one: from sent there is none, because nothing is sent before it is due.
    private void CheckRestricted(LatencySummary latency, string from, double deadline)
    {
        if (latency.RestrictedMean is not { } restricted || (latency.Count > 0 && latency.Mean is null))
            return;
        var lost = flow.Buckets.Attempts - latency.Count;
        var expected = ((latency.Count * (latency.Mean ?? 0)) + (lost * deadline)) / flow.Buckets.Attempts;
        if (Math.Abs(restricted - expected) > 1e-6 * Math.Max(expected, 1))
            throw Misfit($"has a restricted mean from {from} that its mean, its losses and the deadline do not give");
    }

    private void CheckDistribution(Distribution counted)
    {
        var latency = flow.Latency;
        var (mean, deviation, least) = counted.Moments();
        var histogram = Distribution.Merge([counted]);
        (string Name, double? Value, double Counted)[] pairs =
        [
            ("mean", latency.Mean, mean),
            ("standard deviation", latency.StandardDeviation, deviation),
            ("least latency", latency.Min, least),
            ("median", latency.P50, histogram.ValueAt(0.5)!.Value.TotalMicroseconds),
            ("p90", latency.P90, histogram.ValueAt(0.9)!.Value.TotalMicroseconds),
            ("p99", latency.P99, histogram.ValueAt(0.99)!.Value.TotalMicroseconds),
            ("largest latency", latency.Max, histogram.Max!.Value.TotalMicroseconds),
        ];
        var tolerance = HistogramShare * histogram.Max!.Value.TotalMicroseconds;
        foreach (var (name, value, found) in pairs)
        {
            if (value is { } known
                && Math.Abs(known - found) > (name == "standard deviation" ? tolerance : HistogramShare * Math.Max(Math.Abs(known), found))
                    + HistogramStep)
                throw Misfit($"has another {name} than {RecordFiles.Name(RecordFiles.Latency(""))}");
        }
    }

    private RecordException Misfit(string what) => CrossChecks.Misfit(
        row, row.Flows.Count == 1 ? what : $"{what} (flow {flow.Flow.Name})", RecordFiles.Name(RecordFiles.Flows("")));
}
