using PubSubOverWs.LoadTest.Harness.Faults;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>
/// Runs one trial, or all trials of a round at once, and records them: samples, server statistics, rows, and failures as events.
/// </summary>
public sealed class TrialRunner(
    RunJob job, RunToken token, Deployment deployment, RecordWriter writer, EventLog events, TimeProvider time)
{
    private Experiment Experiment => Catalogue.For(job.Scenario);

    /// <summary>Runs the trials; nothing of them is recorded yet.</summary>
    /// <param name="trials">At least one; several run at once.</param>
    /// <exception cref="OperationCanceledException">The run was interrupted.</exception>
    public async Task<IReadOnlyList<MeasuredTrial>> RunAsync(IReadOnlyList<Trial> trials, CancellationToken stopping)
    {
        var start = events.Now;
        var schedule = ScheduleOf(trials[0]);
        var server = deployment[trials[0].Arm] with { Disturbance = schedule };
        var measured = await Iteration.RunTogetherAsync(LoadOf(trials, server), server, time, stopping);
        return [.. trials.Zip(measured, (trial, one) => Account(trial, start, one, schedule))];
    }

    private ILoad LoadOf(IReadOnlyList<Trial> trials, RunningTarget server) => server switch
    {
        { Page: { } page } => ((IBrowserLoad)Experiment).LoadInPage(job.Scenario, trials.Single(), token.Text, server.Servers, page),
        { LoadProcesses.Count: > 0 } => Catalogue.Shared(job.Scenario.Kind.Name)
            .Load(job.Scenario, trials.Single(), token.Text, server.Servers, server.LoadProcesses, time),
        _ when job.Scenario.IsTogether => ((ISimultaneousLoad)Experiment).LoadTogether(job.Scenario, trials, token.Text, server.Servers),
        _ => Experiment.Load(job.Scenario, trials.Single(), token.Text, server.Servers),
    };

    private MeasuredTrial Account(Trial trial, TimeSpan start, IterationMeasurement measured, FaultSchedule? schedule)
    {
        var attempts = Accountant.Classify(measured.Observations, job.Scenario.Deadline, measured.Drain.Remains);
        var flows = Flows(measured, attempts);
        var row = Row(trial, start, measured, flows);
        var measures = Experiment.Measures(new TrialOutcome(job.Scenario, row, attempts, measured, schedule));
        row = row with { Measures = job.Scenario.Measures.ToDictionary(measure => measure.Name, measure => measures[measure.Name]) };
        return new MeasuredTrial(trial, row, measured, attempts, flows);
    }

    /// <summary>Records a trial that is not void.</summary>
    public void Record(MeasuredTrial one)
    {
        var (trial, row, measured, attempts, flows) = one;
        if (job.Scenario.Kind.KeepsSamples)
            writer.Add(row, attempts, measured.Stats);
        else
            writer.Add(row, [.. flows.Select(flow => flow.Latencies)], measured.Stats);
        foreach (var (process, clock) in measured.Clocks)
            events.Add("clock", process, $"iteration {trial.Iteration}: {clock}");
        foreach (var (failure, count) in measured.Failures)
            events.Add(EventRow.Failure, trial.Arm.Name, $"iteration {trial.Iteration}: {failure} x {count}");
        if (measured.Drain.State == DrainState.Failed)
            events.Add("not-drained", trial.Arm.Name, $"iteration {trial.Iteration}: {measured.Drain}");
        if (row.ClientBytes is null && deployment[trial.Arm].Servers.HasStats && !job.Scenario.IsTogether)
            events.Add("not-counted", trial.Arm.Name, $"iteration {trial.Iteration}: {WhyNotCounted(measured)}");
    }

    // Null: the trial has no faults.
    private FaultSchedule? ScheduleOf(Trial trial)
    {
        if (job.Scenario.Plan(trial) is not { } plan)
            return null;
        var target = deployment[trial.Arm];
        var injector = new FaultInjector
        {
            Arm = job.Scenario.IsTogether ? job.Scenario.SetUp(trial.Arm).NameFor(trial.Arm) : trial.Arm.Name,
            Iteration = trial.Iteration,
            Seed = Draws.SeedOf(job.Scenario.Seed, trial.Iteration),
            Toxics = NetworkToxics.From(plan.Network),
            ToxicsByProxy = job.Scenario is ISimultaneousTrials together
                ? [.. job.Scenario.Levels.Select(level => NetworkToxics.From(together.NetworkAt(level)))]
                : [],
            Proxies = target.Proxies,
            Servers = target.Servers.Processes,
            Queue = target.Queue?.Faults,
            Time = time,
            OnEvent = (kind, name, detail) => events.Add(kind, name, $"{detail}"),
        };
        return new FaultSchedule(plan.Actions, plan.Lasts, injector, time);
    }

    private static string WhyNotCounted(IterationMeasurement measured) => measured switch
    {
        { Restarted: true } => "its server was started again, and counts from then on",
        _ when measured.Stats.Any(one => one.Before is null) => "/stats could not be read before the burst",
        _ when measured.Stats.Any(one => one.After is null) => "/stats could not be read after the drain",
        _ => "/stats does not tell the bytes to clients",
    };

    private IReadOnlyList<FlowAccount> Flows(IterationMeasurement measured, IReadOnlyList<Attempt> attempts)
    {
        if (measured.Counted.Count == 0)
            return FlowAccount.From(job.Scenario.Flows, job.Scenario.Deadline, measured.Observations, attempts);
        FlowAccount.Assign(measured.Drain.Remains, measured.Counted);
        return measured.Counted;
    }

    private IterationRow Row(Trial trial, TimeSpan start, IterationMeasurement measured, IReadOnlyList<FlowAccount> flows)
    {
        using var delta = new StatsDelta(measured.Stats);
        var row = new IterationRow
        {
            Arm = trial.Arm.Name,
            Level = trial.Level,
            Block = trial.Block,
            Iteration = trial.Iteration,
            Order = trial.Order,
            WarmUp = trial.WarmUp,
            Start = start,
            Connect = measured.Connect,
            Burst = measured.Burst,
            Drain = measured.Drain.Took,
            DrainState = measured.Drain.State,
            Connections = measured.Connections,
            Flows = new FlowRows(flows.Select((flow, i) => flow.Row(measured.AnomaliesByFlow[i]))),
            Drops = delta.Drops,
            ClientBytes = delta.ClientBytes,
            Queue = delta.Queue,
            Cpu = measured.Cpu,
            Collections = measured.Collections,
        };
        // Of a round only the load's time is kept: whether it was too busy is asked of each of its trials.
        return job.Scenario.IsTogether
            ? row with { Drops = null, ClientBytes = null, Queue = null, Cpu = new CpuTimes(null, null, measured.Cpu.Load, null) }
            : row;
    }
}

/// <summary>A trial that has ended, before it is recorded.</summary>
/// <param name="Attempts">Empty where the workload keeps none.</param>
public sealed record MeasuredTrial(
    Trial Trial, IterationRow Row, IterationMeasurement Measured, IReadOnlyList<Attempt> Attempts, IReadOnlyList<FlowAccount> Flows)
{
    /// <summary>No reading of the clock was before the one before it.</summary>
    public bool ClockMonotonic => Flows.All(flow => flow.ClockMonotonic);
}
