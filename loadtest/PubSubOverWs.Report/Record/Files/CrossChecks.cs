namespace PubSubOverWs.Record.Files;

/// <summary>
/// Holds the files of a record against each other, whatever <see cref="Checksums"/> say: rows against the plan and its seed, latencies
/// against their distributions, bytes against their parts. docs/reference/record.md lists the changes that are not seen here.
/// </summary>
public static class CrossChecks
{
    private static readonly TimeSpan ClockMayBeSetBack = TimeSpan.FromMinutes(1);

    // CPU times come in ticks of 10 ms for each process, and are read a little before a burst and after it, by a thread that may have to
    // wait for a core: 0.28 s once in 840 iterations, at a rate above what the cores could do.
    private static readonly TimeSpan CpuMayBeReadApart = TimeSpan.FromMilliseconds(500);

    /// <exception cref="RecordException">Names the first thing that does not fit.</exception>
    public static void Check(RunFolder record)
    {
        CheckPlan(record.Run);
        CheckOrder(record);
        foreach (var row in record.Rows)
        {
            foreach (var flow in row.Flows)
                new FlowChecks(row, flow, record).Check();
            CheckBytes(row, record.Run.Scenario);
            CheckQueue(record.Run.Scenario, row);
            CheckCpu(row, record.Run);
        }
        CheckClones(record);
        CheckTimes(record);
        CheckFaultActions(record);
        CheckEvents(record);
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
            if (i > 0 && record.Run.Resumed == 0 && record.Rows[i].Start < EndOf(record.Rows[i - 1])
                && !IsOneRound(record, record.Rows[i], record.Rows[i - 1]))
                throw Misfit(record.Rows[i], "begins before the row above it is over");
        }
        using var planned = WarmUpRule.Planned(record.Run.Scenario, record.Run.Order, record.Rows).GetEnumerator();
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

    private static void CheckBytes(IterationRow row, Scenario scenario)
    {
        if (row.ClientBytes is not { } bytes)
            return;
        if (bytes.Payload + bytes.Stomp + bytes.WebSocket != bytes.Total)
            throw Misfit(row, "has bytes to clients that are not the sum of their parts");
        // Messages of several flows need not have one size.
        if (row.Flows.Count > 1 || !scenario.Flows[0].IsOfMessages)
            return;
        var came = row.Buckets.Delivered + row.Buckets.Late + row.Anomalies.Duplicates;
        if (bytes.Payload % scenario.PayloadBytes != 0
            || bytes.Payload < (row.Buckets.Delivered + row.Buckets.Late) * scenario.PayloadBytes)
            throw Misfit(row, $"has fewer payload bytes to clients than its messages of {scenario.PayloadBytes} B, or part of one");
        // Where clients are cut, a message may be sent again and again without coming.
        if (scenario.Disturbance is null
            && bytes.Payload > (row.Buckets.Attempts + came - row.Buckets.Delivered + row.Anomalies.Unexpected) * scenario.PayloadBytes)
            throw Misfit(row, $"has more payload bytes to clients than all its messages of {scenario.PayloadBytes} B");
    }

    private static void CheckQueue(Scenario scenario, IterationRow row)
    {
        if (row.Queue is not { } queue || row.Buckets.Delivered == 0)
            return;
        var isThroughQueue = scenario.FindArm(row.Arm) is { HasQueue: true };
        // A connection may be opened, and nothing sent; or all of it went past the server.
        if (isThroughQueue && !row.Flows.Any(flow => flow.Flow.IsOfMessages && flow.Buckets.Delivered > 0))
            return;
        if (isThroughQueue != queue.Calls.Send > 0)
            throw Misfit(
                row,
                isThroughQueue
                    ? "has deliveries through a queue to which nothing was sent"
                    : "has calls to a queue, which its server does not have");
    }

    private static void CheckCpu(IterationRow row, RunRecord run)
    {
        if (row.Cpu.Queue is not null && run.Checks.QueueAlive is null)
            throw Misfit(row, "has CPU time of a queue of this run, and run.json does not say whether the queue was alive");
        var shared = run.SetUp.SharedMachine;
        TimeSpan?[] times = [shared ? row.Cpu.Server : null, row.Cpu.Queue, row.Cpu.Load, shared ? row.Cpu.Idle : null];
        var took = times.Aggregate(TimeSpan.Zero, (sum, one) => sum + (one ?? TimeSpan.Zero));
        if (took > run.Machine.Cores * (row.Burst + CpuMayBeReadApart) || Array.Exists(times, one => one < TimeSpan.Zero))
            throw Misfit(row, Invariant($"has more CPU time than {run.Machine.Cores} cores give in its burst, or less than none"));
    }

    // No two trials take the same time to the tick, and no two have the same latencies.
    private static void CheckClones(RunFolder record)
    {
        var seen = new Dictionary<object, IterationRow>();
        foreach (var row in record.Rows)
        {
            foreach (var mark in Marks(row))
            {
                if (!seen.TryAdd(mark, row) && !IsOneRound(record, row, seen[mark]))
                    throw Misfit(row, $"repeats what was measured of {seen[mark].Arm}, iteration {seen[mark].Iteration}");
            }
        }
    }

    // Of a few latencies by a coarse clock two may be alike.
    private static IEnumerable<object> Marks(IterationRow row) => row.Flows
        .Where(flow => flow.FromDue is { Count: >= 10, StandardDeviation: > 0 })
        .Select(object (flow) => (flow.FromDue.Mean, flow.FromDue.StandardDeviation, flow.FromDue.Max))
        .Append((row.Connect, row.Burst));

    private static bool IsOneRound(RunFolder record, IterationRow one, IterationRow other) =>
        record.Run.Scenario.IsTogether && one.Start == other.Start;

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

    private static void CheckFaultActions(RunFolder record)
    {
        var byDetail = record.Events.Where(one => one.IsFaultAction).ToLookup(one => one.Detail, StringComparer.Ordinal);
        foreach (var iteration in record.Rows.GroupBy(row => row.Iteration))
        {
            FaultRow[] faults = [.. iteration.Select(FaultRow.Find).OfType<FaultRow>()];
            if (faults.Length == 0)
                continue;
            var begun = byDetail[Invariant($"iteration {iteration.Key}: begins")].ToArray();
            var counted = faults.Sum(row => (long)row.FaultActions);
            if (begun.Length != counted)
                throw Misfit($"measures.csv has {counted} fault actions in iteration {iteration.Key}, and events.csv {begun.Length}");
            if (record.Run.Resumed > 0)
                continue;
            var from = iteration.Min(row => row.Start);
            var to = iteration.Max(EndOf);
            if (Array.Find(begun, one => one.At < from || one.At > to) is { } stray)
                throw Misfit($"events.csv has '{stray.Kind}' of iteration {iteration.Key} at a time that is not the iteration's");
        }
    }

    // Of a run that was not resumed: later processes run interrupted blocks again.
    private static void CheckEvents(RunFolder record)
    {
        if (record.Run.Resumed > 0)
            return;
        var run = record.Run;
        var died = record.Events.FirstOrDefault(one => one.Kind == "died");
        // The death of a load process is no server's.
        if (died is not null && (run.Complete
            || (run.Checks is { ServersAlive: true, QueueAlive: not false } && !died.Target.StartsWith("load", StringComparison.Ordinal))))
            throw Misfit($"events.csv says that {died.Target} died, and run.json that the run is complete, or that all lived");
        CheckStarts(record);
        var iterations = record.Rows.Select(row => Invariant($"iteration {row.Iteration}")).ToHashSet();
        if (run.Complete && record.Events.FirstOrDefault(one => one.Detail.StartsWith("iteration ", StringComparison.Ordinal)
            && !iterations.Contains(one.Detail.Split(':')[0])) is { } stray)
            throw Misfit($"events.csv has '{stray.Kind}' of {stray.Target} in {stray.Detail.Split(':')[0]}, which has no row");
    }

    // All processes start for each block, between the rows of the block before it and its own.
    private static void CheckStarts(RunFolder record)
    {
        EventRow[] starts =
            [.. record.Events.Where(one => one.Kind == "started" && !one.Detail.EndsWith(", again", StringComparison.Ordinal))];
        var before = TimeSpan.MinValue;
        var first = (string[]?)null;
        var placed = 0;
        foreach (var block in record.Rows.GroupBy(row => row.Block))
        {
            string[] own = [.. starts.Where(one => one.At > before && one.At <= block.First().Start).Select(one => one.Target).Order()];
            if (!own.SequenceEqual(first ??= own) || (own.Length == 0 && record.Run.SetUp.OwnServers))
                throw Misfit($"events.csv does not have the starts of all processes before block {block.Key}, or those of another block");
            before = block.Max(EndOf);
            placed += own.Length;
        }

        if (record.Run.Complete && placed < starts.Length)
            throw Misfit($"events.csv has {starts.Length - placed} starts of processes that are of no block with rows");
    }

    private static TimeSpan EndOf(IterationRow row) => row.Start + row.Connect + row.Burst + row.Drain;

    private static void CheckNoise(RunRecord run, NoiseFloor noise)
    {
        if (noise.Sources.FirstOrDefault(source => source.Commit != run.Machine.Commit) is { } other)
            throw Misfit($"noise.json is of {other.Run}, which was made by commit {other.Commit}, and the run by {run.Machine.Commit}");
        if (noise.Sources.FirstOrDefault(source => source.Found.Rejections > source.Found.Tests) is { } more)
            throw Misfit($"noise.json has {more.Found.Rejections} rejections of {more.Found.Tests} tests of {more.Run}");
        if (noise.RunStarted != run.Started)
            throw Misfit($"noise.json was made for the run of {noise.RunStarted:u}, and this one is of {run.Started:u}");
    }

    internal static RecordException Misfit(IterationRow row, string what, string file = "iterations.csv") =>
        Misfit($"{row.Arm}, iteration {row.Iteration}, in {file} {what}");

    private static RecordException Misfit(string what) => new($"{what}: {RecordException.Mend}.");
}
