using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>
/// Runs one block: starts all processes, runs the trials one after the other, or round by round where they run at once, and stops
/// everything again.
/// </summary>
public sealed class BlockRunner(RunJob job, RunToken token, PinningPlan pinning, RecordWriter writer, EventLog events, TimeProvider time)
{
    /// <summary>Checks that only the runner can make, over all blocks so far.</summary>
    /// <remarks>
    /// A block in which a process died is run again on resume: only the clock check is kept then, or all if nothing is left to run.
    /// </remarks>
    public RunChecks Checks { get; private set; } = job is { Before: { } before, Trials.Count: 0 } ? before.Checks : new(
        job.Before?.Checks.ClockMonotonic ?? true, QueueAlive: job.Queue is { IsOfThisRun: true } ? true : null);

    /// <summary>The cores of the last block's processes.</summary>
    public IReadOnlyList<PinnedProcess> Cores { get; private set; } = job.Before?.SetUp.Pinned ?? [];

    /// <summary>The browser of the last block; null: this program has the clients.</summary>
    public BrowserRecord? Browser { get; private set; } = job.Before?.SetUp.Browser;

    /// <summary>The resources of the processes after the last trial; empty unless a live page was asked for.</summary>
    public IReadOnlyList<NamedUse> Uses { get; private set; } = [];

    /// <summary>The cost of the queue over all blocks so far; null: it is free, and no price was given.</summary>
    public QueueBill? Bill { get; private set; } = job.Before is { } resumed ? resumed.Bill : job.Bill;

    // Null once the count of a block is unknown: a killed server loses its count.
    private long? _queueCalls = job.CallsMade;

    /// <param name="block">From 1.</param>
    /// <param name="agenda">Has its trials, in order.</param>
    /// <param name="before">
    /// Awaited before each trial, or before each round with all of its trials: what is shown of the run is shown by then.
    /// </param>
    /// <param name="recorded">
    /// Called with each row once it is on disk, and with the duration of its trial: of a round its share. Tells the agenda.
    /// </param>
    /// <param name="stopping">Interrupts the current trial or round; recorded rows stay.</param>
    /// <exception cref="OperationCanceledException">The run was interrupted.</exception>
    /// <exception cref="RefusalException">A server ended unexpectedly, or a trial is void: nothing of it is recorded.</exception>
    public async Task RunAsync(
        int block, Agenda agenda, Func<IReadOnlyList<Trial>, CancellationToken, Task> before,
        Action<Trial, IterationRow, TimeSpan> recorded,
        CancellationToken stopping)
    {
        await using var deployment = await StartAsync(block, stopping);
        Browser = deployment.Browser;
        var runner = new TrialRunner(job, token, deployment, writer, events, time);
        try
        {
            while (agenda.Next(block) is { Count: > 0 } round)
                await RunAsync(round, deployment, runner, before, recorded, stopping);
        }
        finally
        {
            if (Bill is { } bill)
                // Also when the run was stopped.
                Bill = bill with { Made = _queueCalls += await deployment.QueueCallsAsync(CancellationToken.None) };
        }
    }

    private async Task<Deployment> StartAsync(int block, CancellationToken stopping)
    {
        try
        {
            return await Deployment.StartAsync(job, pinning, block, token.Queue(block), events, time, stopping);
        }
        catch (ChildException failure) when (block > 1 && failure.ExitCode == ChildException.BadUsage)
        {
            // The settings were right a block ago: what changed is outside, such as the rights at the queue.
            throw new ChildException(failure.Message);
        }
    }

    private async Task RunAsync(
        IReadOnlyList<Trial> round, Deployment deployment, TrialRunner runner, Func<IReadOnlyList<Trial>, CancellationToken, Task> before,
        Action<Trial, IterationRow, TimeSpan> recorded, CancellationToken stopping)
    {
        await before(round, stopping);
        var begun = time.GetTimestamp();
        var measured = await runner.RunAsync(round, stopping);
        await ThrowIfDeadAsync(deployment);
        ThrowIfVoid(measured, deployment);
        foreach (var one in measured)
            runner.Record(one);
        Checks = Checks with { ClockMonotonic = Checks.ClockMonotonic && measured.All(one => one.ClockMonotonic) };
        Cores = pinning.IsPinned ? deployment.ReadCores() : [];
        Uses = job.Request.Live is null ? [] : deployment.ReadUse();
        var took = time.GetElapsedTime(begun) / round.Count;
        foreach (var one in measured)
            recorded(one.Trial, one.Row, took);
    }

    private void ThrowIfVoid(IReadOnlyList<MeasuredTrial> measured, Deployment deployment)
    {
        var standstill = deployment.TakeStandstill(hasFaults: job.Scenario.Disturbance is not null);
        foreach (var (trial, row, one, _, _) in measured)
        {
            var because = standstill ?? VoidRule.Because(job.Scenario, deployment[trial.Arm].Servers, row, one);
            if (because is null)
                continue;
            events.Add("void", trial.Arm.Name, $"iteration {trial.Iteration}: {because}");
            throw new RefusalException(ExitCode.Unreachable,
                $"{because} So {trial.Arm} at {trial.Level.Key} was not measured, and the run ended; what was recorded is kept in "
                    + $"{job.Folder}. When that is mended, continue with: {ThisProgram.Name} run --resume {job.Folder}");
        }
    }

    private async Task ThrowIfDeadAsync(Deployment deployment)
    {
        if (deployment.Dead is not { } dead)
            return;
        var exit = await dead.Exited;
        var isLoad = deployment.IsLoad(dead);
        if (!isLoad)
            Checks = deployment.IsQueue(dead) ? Checks with { QueueAlive = false } : Checks with { ServersAlive = false };
        events.Add("died", dead.Name, $"exit code {exit.ExitCode}");
        throw new RefusalException(ExitCode.Unreachable,
            $"The {dead.Name} {(isLoad ? "process" : "server")} ended unexpectedly with exit code {exit.ExitCode}, which ended the run; "
                + $"what was recorded is kept in {job.Folder}. Its last output: {string.Join(" | ", exit.LastLines)}");
    }
}
