namespace PubSubOverWs.Report.Claims;

/// <summary>The checks of docs/reference/method.md: a run that breaks one is invalid, and its gates fail.</summary>
public static class Validity
{
    /// <summary>Above it the load may be what limits a measurement.</summary>
    public const double LargestCoreShare = 0.90;

    /// <summary>Of a shorter time, processor times say nothing: 100 ms.</summary>
    public static readonly TimeSpan ShortestMeasured = TimeSpan.FromMilliseconds(100);

    private const double LargestConnectFailure = 0.01;
    private const double LargestLateShare = 0.01;
    private const string BeyondTheKnee = "rates up to those that cannot be held are offered, so the knee judges it rate by rate";

    /// <summary>True: no check is broken.</summary>
    public static bool IsValid(RunFolder folder) => Check(folder).All(check => check.Holds != false);

    public static IReadOnlyList<ValidityCheck> Check(RunFolder folder)
    {
        var rows = folder.Rows.Where(row => row.Counts && row.Arm != Arm.Floor.Name).ToArray();
        return
        [
            BucketsAddUp(folder.Rows),
            Published(folder.Run.Scenario, rows),
            NotAboveAll(folder.Rows),
            Lag(folder, rows),
            Core(folder.Run, rows),
            Drained(rows),
            FirstConnects(folder.Run, rows),
            QueueAlive(folder),
            new("servers alive all along", folder.Run.Checks.ServersAlive,
                folder.Run.Checks.ServersAlive ? "no server ended by itself" : "a server ended by itself"),
            new("clock monotonic", folder.Run.Checks.ClockMonotonic,
                folder.Run.Checks.ClockMonotonic ? "no reading went backwards" : "a reading went backwards"),
            .. folder.Run.Scenario.MostWarmUps > 0 ? [SteadyCheck.Check(folder, rows)] : Array.Empty<ValidityCheck>(),
            HalvesCheck.Check(folder),
        ];
    }

    /// <summary>
    /// The busy share of the core that carries the load, over the burst; 1 is all of it. Null: a CPU time is not known, or the burst is too
    /// short for one, because CPU times come in ticks of 10 ms.
    /// </summary>
    /// <remarks>Pinned, load and queue share one core. Not pinned, everything shares all cores.</remarks>
    public static double? LoadCoreShare(RunRecord run, IterationRow row)
    {
        var burst = BusyTime(run.Scenario, row);
        if (row.Cpu.Load is not { } load || burst < ShortestMeasured || CountsWhatIsRestarted(run, row.Level))
            return null;
        // The time of the servers is of no row, and without cores of their own they are part of this.
        if (run.Scenario.IsTogether && run.SetUp.Pinned.Count == 0)
            return null;
        var queue = row.Cpu.Queue ?? TimeSpan.Zero;
        if (run.SetUp.Pinned.Count > 0)
            return (load + queue) / burst;
        var others = run.SetUp.SharedMachine ? (row.Cpu.Server ?? TimeSpan.Zero) + (row.Cpu.Idle ?? TimeSpan.Zero) : TimeSpan.Zero;
        return (load + queue + others) / burst / run.Machine.Cores;
    }

    // Where something is lost the burst lasts until the deadline is over, and the load only waits.
    private static TimeSpan BusyTime(Scenario scenario, IterationRow row) =>
        scenario.Disturbance is not null && row.Buckets.Lost > 0 && !scenario.Arrivals.IsBurst && scenario.Arrivals.Spread < row.Burst
            ? scenario.Arrivals.Spread
            : row.Burst;

    // A process that is started again takes its CPU time with it.
    private static bool CountsWhatIsRestarted(RunRecord run, Level level) => run.Scenario.DisturbanceAt(level) is { } fault
        && (fault.KillsQueue || (fault.KillsServers && run.SetUp.Pinned.Count == 0 && run.SetUp.SharedMachine));

    private static ValidityCheck QueueAlive(RunFolder folder)
    {
        const string Name = "queue alive all along";
        if (folder.Run.Scenario.Disturbance is { KillsQueue: true } fault)
            return new(Name, null, $"the fault {fault.Name} kills the queue, so this is not judged");
        return new(Name, folder.Run.Checks.QueueAlive, folder.Run.Checks.QueueAlive switch
        {
            true => "its process ran through every block",
            false => "its process ended during the run",
            null => "the queue is not a process of this run",
        });
    }

    private static ValidityCheck BucketsAddUp(IReadOnlyList<IterationRow> rows)
    {
        var broken = rows.Count(row => !row.Flows.All(flow => flow.Buckets.AddUp));
        return new("attempts are the sum of the buckets", broken == 0,
            broken == 0 ? Invariant($"in all {rows.Count} rows") : Invariant($"broken in {broken} rows"));
    }

    private static ValidityCheck Published(Scenario scenario, IterationRow[] rows)
    {
        const string Name = "something was published";
        var silent = rows.GroupBy(row => (row.Arm, row.Level))
            .Where(level => level.Sum(row => row.Buckets.Attempts - row.Buckets.Refused) == 0)
            .Select(level => level.Key).ToArray();
        var where = string.Join(", ", silent.Select(level => Invariant($"{level.Arm} at {level.Level.Key}")));
        if (rows.Length == 0)
            return new(Name, false, "there is no measured iteration");
        if (silent.Length == 0)
            return new(Name, true, "by every arm at every level that ran");
        // Far beyond its knee an arm is behind before the counted part of a step begins.
        var muteArms = silent.GroupBy(level => level.Arm)
            .Where(arm => arm.Count() == rows.Where(row => row.Arm == arm.Key).Select(row => row.Level).Distinct().Count());
        return scenario.OffersRates && !muteArms.Any()
            ? new(Name, true, $"by every arm; nothing by {where}: {BeyondTheKnee}")
            : new(Name, false, $"nothing by {where}");
    }

    private static ValidityCheck NotAboveAll(IReadOnlyList<IterationRow> rows)
    {
        var above = rows.Count(row => row.Buckets.Delivered > row.Buckets.Attempts);
        return new("delivery not above 100 %", above == 0,
            above == 0 ? Invariant($"in all {rows.Count} rows") : Invariant($"above in {above} rows"));
    }

    // Not iteration by iteration: of 50 messages the 99th percentile is the latest one.
    private static ValidityCheck Lag(RunFolder folder, IterationRow[] rows)
    {
        const string Name = "schedule lag p99 within 20 ms";
        if (rows.Max(row => row.ScheduleLagP99) is not { } worst)
            return new(Name, null, "no lag was recorded");
        var text = Invariant($"p99 of the worst iteration {worst.TotalMilliseconds:0.0} ms");
        if (folder.Run.Scenario.Arrivals.IsBurst)
            return new(Name, null, $"{text}; all messages of a burst are due at once, so this is shown and not judged");
        if (folder.Run.Scenario.OffersRates)
            return new(Name, null, $"{text}; {BeyondTheKnee}");
        if (folder.Run.Scenario.Disturbance is { KillsServers: true })
            return new(Name, null,
                $"{text}; messages due during an outage of the server are sent after it, so this is shown and not judged");
        var levels = rows.GroupBy(row => (row.Arm, row.Level))
            .Select(level => (level.Key.Arm, level.Key.Level, Late: Share(
                level.Sum(row => row.LateSends - WhileAway(row)),
                level.Sum(row => row.Buckets.Attempts - row.Buckets.Refused - WhileAway(row)))))
            .ToArray();
        var broken = levels.Where(level => level.Late > LargestLateShare)
            .Select(level => Invariant($"{level.Arm} at {level.Level.Key}: {level.Late * 100:0.0} %")).ToArray();
        var late = broken.Length == 0
            ? Invariant($"at most {levels.Max(level => level.Late) * 100:0.00} % of a level's messages")
            : string.Join(", ", broken);
        var away = rows.Sum(WhileAway);
        var waited = away == 0 ? "" : Invariant($"; not counted: {away} that were due while their publisher was offline");
        return new(Name, broken.Length == 0, Invariant($"sent later than that: {late}; {text}{waited}"));

        static int WhileAway(IterationRow row) => FaultRow.Find(row)?.LateWhileAway ?? 0;
    }

    private static double Share(long part, long all) => all == 0 ? 0 : (double)part / all;

    private static ValidityCheck Core(RunRecord run, IterationRow[] rows)
    {
        const string Name = "the load's core below 90 % busy";
        var judged = rows.Where(row => (run.Scenario as ILimitReached)?.LimitReached(row.Measures) is null).ToArray();
        var saturated = rows.Length == judged.Length
            ? ""
            : Invariant($"; not counted: {rows.Length - judged.Length} iterations that filled it on purpose");
        var worst = judged.Max(row => LoadCoreShare(run, row));
        if (worst is not { } share)
            return new(Name, null, rows.Any(row => CountsWhatIsRestarted(run, row.Level))
                ? $"the fault {run.Scenario.Disturbance?.Name} restarts a process whose CPU time counts, so this is not judged"
                : run.Scenario.IsTogether && run.SetUp.Pinned.Count == 0
                    ? "all arms ran at once and shared all cores, so this is not judged"
                    : $"no CPU time was recorded over 100 ms or more{saturated}");
        var text = Invariant($"at worst {share * 100:0} %{saturated}");
        if (run.Scenario.Arrivals.IsBurst)
            return new(Name, null, $"{text}; a burst fills the core by design, so this is shown and not judged");
        if (run.Scenario.OffersRates)
            return new(Name, null, $"{text}; {BeyondTheKnee}");
        if (run.Scenario.IsMostlyIdle)
            return new(Name, null, $"{text} over whole trials, most of which nothing is sent, so this is shown and not judged");
        var busy = judged.Count(row => LoadCoreShare(run, row) >= LargestCoreShare);
        return new(Name, busy == 0, busy == 0 ? text : Invariant($"{text}; at or above in {busy} of {judged.Length} iterations"));
    }

    private static ValidityCheck Drained(IterationRow[] rows)
    {
        var failed = rows.Count(row => row.DrainState == DrainState.Failed);
        var unproven = rows.Count(row => row.DrainState == DrainState.NotProven);
        if (failed > 0)
            return new("queue drained at the end", false, Invariant($"messages were left after {failed} of {rows.Length} iterations"));
        return unproven > 0
            ? new("queue drained at the end", null,
                Invariant($"not proven after {unproven} of {rows.Length} iterations: the queue's counts could not be read"))
            : new("queue drained at the end", true, Invariant($"proven after all {rows.Length} iterations"));
    }

    private static ValidityCheck FirstConnects(RunRecord run, IterationRow[] rows)
    {
        const string Name = "first connects failed below 1 %";
        var levels = rows.GroupBy(row => (row.Arm, row.Level))
            .Select(level => (level.Key.Arm, level.Key.Level, Failed:
                1 - ((double)level.Sum(row => (long)row.Connections) / level.Sum(row => (long)run.Scenario.UsersOf(row.Arm, row.Level)))))
            .ToArray();
        var broken = levels.Where(level => level.Failed >= LargestConnectFailure)
            .Select(level => Invariant($"{level.Arm} at {level.Level.Key}: {level.Failed * 100:0.0} %")).ToArray();
        var worst = Invariant(
            $"at worst {levels.Select(level => level.Failed).DefaultIfEmpty(0).Max() * 100:0.00} % of an arm's connects at a level");
        return run.Scenario.Disturbance is { IsAboutConnects: true } fault
            ? new(Name, null, $"{worst}; the fault {fault.Name} is about connects, so this is shown and not judged")
            : new(Name, broken.Length == 0, broken.Length > 0 ? string.Join(", ", broken) : worst);
    }
}

/// <summary>One thing that must hold for a run to mean anything.</summary>
/// <param name="Holds">False: the run is invalid. Null: it could not be judged, and the detail says why.</param>
public sealed record ValidityCheck(string Name, bool? Holds, string Detail)
{
    /// <summary>True: the run is valid, and its reader should know of this.</summary>
    [JsonIgnore]
    public bool IsWarning { get; init; }
}
