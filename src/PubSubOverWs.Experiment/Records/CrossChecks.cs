using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Latency;
using static System.FormattableString;

namespace PubSubOverWs.Experiment.Records;

/// <summary>
/// Holds the files of a record against each other, whatever <see cref="Checksums"/> say: rows against the plan and its seed, latencies
/// against their distributions, bytes against their parts. What can be changed without being seen here stands in docs/record.md.
/// </summary>
public static class CrossChecks
{
    // Three significant digits, and the half microsecond that a value is rounded by.
    private const double HistogramShare = 0.001;
    private const double HistogramStep = 1;

    private static readonly TimeSpan ClockMayBeSetBack = TimeSpan.FromMinutes(1);

    /// <exception cref="RecordException">Names the first thing that does not fit.</exception>
    public static void Check(RunFolder record)
    {
        CheckPlan(record.Run);
        CheckOrder(record);
        foreach (var row in record.Rows)
        {
            CheckCounts(row, record.Run.Scenario);
            CheckLatency(row, row.FromDue, "due", record.Run.Scenario.Deadline);
            CheckLatency(row, row.FromSent, "sent", record.Run.Scenario.Deadline);
            CheckBytes(row, record.Run.Scenario);
            CheckQueue(record.Run.Scenario, row);
            if (record.Latency.TryGetValue((row.Arm, row.Iteration), out var counted) && counted.Count > 0)
                CheckDistribution(row, row.LatencyOf(record.Run.Scenario.Arrivals), counted);
        }
        CheckTimes(record);
        CheckMoments(record);
        if (record.Noise is { } noise)
            CheckNoise(record.Run, noise);
    }

    // Only iteration numbers change when a run is resumed.
    private static void CheckPlan(RunRecord run)
    {
        var planned = RunPlan.For(run.Scenario).GroupBy(step => step.Block)
            .ToDictionary(block => block.Key, block => block.Select(Shape).ToArray());
        var there = run.Order.GroupBy(step => step.Block)
            .ToDictionary(block => block.Key, block => block.OrderBy(step => step.Iteration).Select(Shape).ToArray());
        if (planned.Count != there.Count
            || planned.Any(block => !there.TryGetValue(block.Key, out var steps) || !steps.SequenceEqual(block.Value)))
            throw Misfit("run.json has another order of iterations than its scenario and seed give");
    }

    private static (Level Level, bool WarmUp, string Arms) Shape(PlannedIteration step) =>
        (step.Level, step.WarmUp, string.Join(' ', step.Arms));

    // A run that is not resumed has one clock, and its rows in the order of the plan.
    private static void CheckOrder(RunFolder record)
    {
        for (var i = 0; i < record.Rows.Count; i++)
        {
            if (record.Rows[i].Order != i + 1)
                throw Misfit(record.Rows[i], $"stands in place {i + 1} and has the order {record.Rows[i].Order}");
            if (i > 0 && record.Run.Resumed == 0 && record.Rows[i].Start < record.Rows[i - 1].Start)
                throw Misfit(record.Rows[i], "begins before the row above it");
        }
        var steps = record.Run.Order.SelectMany(step => step.Arms.Select(arm => (Arm: arm, Step: step)));
        using var planned = steps.GetEnumerator();
        foreach (var row in record.Rows.Where(row => !row.Superseded))
        {
            if (!planned.MoveNext())
                throw Misfit(row, "is in no plan of run.json");
            var (arm, step) = planned.Current;
            if ((row.Arm, row.Iteration, row.Level, row.Block, row.WarmUp) != (arm, step.Iteration, step.Level, step.Block, step.WarmUp))
                throw Misfit(
                    row,
                    $"stands where the plan of run.json has {arm}, iteration {step.Iteration}{(step.WarmUp ? ", a warm-up" : "")}, of "
                        + $"{step.Level} in block {step.Block}");
        }
    }

    private static void CheckCounts(IterationRow row, Scenario scenario)
    {
        var (buckets, planned) = (row.Buckets, scenario.Attempts(row.Level));
        if (buckets.Attempts != planned)
            throw Misfit(row, $"has {buckets.Attempts} attempts, and its users have {planned} messages");
        if (buckets.Acknowledged > buckets.Attempts - buckets.Refused - buckets.LostUnacknowledged)
            throw Misfit(
                row,
                $"has {buckets.Acknowledged} acknowledged messages, more than were neither refused nor lost without an acknowledgement");
        if (scenario.Receipts && buckets.LostAcknowledged > buckets.Acknowledged)
            throw Misfit(row, $"has lost {buckets.LostAcknowledged} acknowledged messages of {buckets.Acknowledged}");
    }

    private static void CheckLatency(IterationRow row, LatencySummary latency, string from, TimeSpan deadline)
    {
        double?[] ascending = [.. new[] { latency.Min, latency.P50, latency.P90, latency.P99,
            latency.Max }.Where(value => value is not null)];
        if (!ascending.SequenceEqual(ascending.Order()))
            throw Misfit(row, $"has latencies from {from} whose least, percentiles and largest are in no order");
        if (latency.Mean < latency.Min || latency.Mean > latency.Max)
            throw Misfit(row, $"has a mean latency from {from} that lies outside its least and largest");
        if (latency.StandardDeviation > latency.Max - latency.Min)
            throw Misfit(row, $"has latencies from {from} that spread by more than they differ");
        if (latency.Count != row.Buckets.Delivered)
            throw Misfit(row, $"has {latency.Count} latencies from {from} and {row.Buckets.Delivered} delivered messages");
        if (from == "due" && latency.Max > deadline.TotalMicroseconds)
            throw Misfit(row, "has a message that was delivered in time after the deadline");
        CheckRestricted(row, latency, from, deadline.TotalMicroseconds);
    }

    // A latency above the deadline counts as one: from sent there is none, for nothing is sent before it is due.
    private static void CheckRestricted(IterationRow row, LatencySummary latency, string from, double deadline)
    {
        if (latency.RestrictedMean is not { } restricted || (latency.Count > 0 && latency.Mean is null))
            return;
        var lost = row.Buckets.Attempts - latency.Count;
        var expected = ((latency.Count * (latency.Mean ?? 0)) + (lost * deadline)) / row.Buckets.Attempts;
        if (Math.Abs(restricted - expected) > 1e-6 * Math.Max(expected, 1))
            throw Misfit(row, $"has a restricted mean from {from} that its mean, its losses and the deadline do not give");
    }

    private static void CheckDistribution(IterationRow row, LatencySummary latency, Distribution counted)
    {
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
                throw Misfit(row, $"has another {name} than {RecordFiles.NameIn(RecordFiles.LatencyLog("", row.Arm, row.Level))}");
        }
    }

    private static void CheckBytes(IterationRow row, Scenario scenario)
    {
        if (row.ClientBytes is not { } bytes)
            return;
        if (bytes.Payload + bytes.Stomp + bytes.WebSocket != bytes.Total)
            throw Misfit(row, "has bytes to clients that are not the sum of their parts");
        var came = row.Buckets.Delivered + row.Buckets.Late + row.Anomalies.Duplicates;
        if (bytes.Payload % scenario.PayloadBytes != 0
            || bytes.Payload < (row.Buckets.Delivered + row.Buckets.Late) * scenario.PayloadBytes)
            throw Misfit(row, $"has fewer payload bytes to clients than its messages of {scenario.PayloadBytes} B, or part of one");
        // Where clients are cut, a message may be sent again and again without coming.
        if (!scenario.IsDemonstration
            && bytes.Payload > (row.Buckets.Attempts + came - row.Buckets.Delivered + row.Anomalies.Unexpected) * scenario.PayloadBytes)
            throw Misfit(row, $"has more payload bytes to clients than all its messages of {scenario.PayloadBytes} B");
    }

    private static void CheckQueue(Scenario scenario, IterationRow row)
    {
        if (row.Queue is not { } queue || row.Buckets.Delivered == 0)
            return;
        var isThroughQueue = scenario.FindArm(row.Arm) is { HasQueue: true };
        if (isThroughQueue != queue.Calls.Send > 0)
            throw Misfit(
                row,
                isThroughQueue
                    ? "has deliveries through a queue to which nothing was sent"
                    : "has calls to a queue, which its server does not have");
    }

    // Rows and events have a clock that only goes on, the run's start and end one that may be set meanwhile.
    private static void CheckTimes(RunFolder record)
    {
        if (record.Run is not { Resumed: 0, Ended: { } ended })
            return;
        var took = ended - record.Run.Started + ClockMayBeSetBack;
        var span = $"which run.json has from {record.Run.Started:u} to {ended:u}";
        if (record.Rows.FirstOrDefault(row => EndOf(row) > took) is { } late)
            throw Misfit(late, $"ends after the run, {span}");
        if (record.Events.FirstOrDefault(one => one.At > took) is { } last)
            throw Misfit($"events.csv has '{last.Kind}' of {last.Target} after the end of the run, {span}");
    }

    private static void CheckMoments(RunFolder record)
    {
        var byDetail = record.Events.Where(one => one.IsDeed).ToLookup(one => one.Detail, StringComparer.Ordinal);
        var rows = record.Rows.Where(row => record.Faults.ContainsKey((row.Arm, row.Iteration)));
        foreach (var iteration in rows.GroupBy(row => row.Iteration))
        {
            var begun = byDetail[Invariant($"iteration {iteration.Key}: begins")].ToArray();
            var counted = iteration.Sum(row => (long)record.Faults[(row.Arm, row.Iteration)].Deeds);
            if (begun.Length != counted)
                throw Misfit($"faults.csv has {counted} moments in iteration {iteration.Key}, and events.csv {begun.Length}");
            if (record.Run.Resumed > 0)
                continue;
            var (from, to) = (iteration.Min(row => row.Start), iteration.Max(EndOf));
            if (Array.Find(begun, one => one.At < from || one.At > to) is { } stray)
                throw Misfit($"events.csv has '{stray.Kind}' of iteration {iteration.Key} at a time that is not the iteration's");
        }
    }

    private static TimeSpan EndOf(IterationRow row) => row.Start + row.Connect + row.Burst + row.Drain;

    private static void CheckNoise(RunRecord run, NoiseFloor noise)
    {
        if (noise.Sources.FirstOrDefault(source => source.Commit != run.Machine.Commit) is { } other)
            throw Misfit($"noise.json is of {other.Run}, which was made by commit {other.Commit}, and the run by {run.Machine.Commit}");
        if (noise.Sources.FirstOrDefault(source => source.Found.Rejections > source.Found.Tests) is { } more)
            throw Misfit($"noise.json has {more.Found.Rejections} rejections of {more.Found.Tests} tests of {more.Run}");
        if (noise.RunStarted is { } of && of != run.Started)
            throw Misfit($"noise.json was made for the run of {of:u}, and this one is of {run.Started:u}");
    }

    private static RecordException Misfit(IterationRow row, string what) =>
        Misfit($"{row.Arm}, iteration {row.Iteration}, in iterations.csv {what}");

    private static RecordException Misfit(string what) => new($"{what}: {RecordException.Mend}.");
}
