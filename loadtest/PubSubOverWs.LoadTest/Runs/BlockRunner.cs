using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>Runs one block: starts everything afresh, takes the turns one after the other, and leaves nothing behind.</summary>
public sealed class BlockRunner(RunJob job, RunToken token, PinningPlan pinning, RecordWriter writer, EventLog events, TimeProvider time)
{
    /// <summary>What only the runner can see, over all blocks so far.</summary>
    /// <remarks>A process that died cut its block, and that block runs again: only the clock's finding outlives it. All stay where nothing
    /// runs again.</remarks>
    public RunChecks Checks { get; private set; } = job is { Before: { } before, Turns.Count: 0 } ? before.Checks : new(
        job.Before?.Checks.ClockMonotonic ?? true, QueueAlive: job.Queue is { IsOfThisRun: true } ? true : null);

    /// <summary>Where the processes of the last block were found.</summary>
    public IReadOnlyList<PinnedProcess> Cores { get; private set; } = job.Before?.SetUp.Pinned ?? [];

    /// <summary>What the queue costs, over all blocks so far; null: it is free, and no price was given.</summary>
    public QueueBill? Bill { get; private set; } = job.Before is { } resumed ? resumed.Bill : job.Bill;

    // Null from the first block on of which it is not known: a server that was killed took its count with it.
    private long? _queueCalls = job.CallsMade;

    /// <param name="block">From 1.</param>
    /// <param name="trials">Its turns, in order.</param>
    /// <param name="recorded">Told of every row, once it is on disk, and how long its turn took.</param>
    /// <param name="stopping">Cuts the turn under way; what was recorded stays.</param>
    /// <exception cref="OperationCanceledException">It was cut.</exception>
    /// <exception cref="RefusalException">A server ended by itself.</exception>
    public async Task RunAsync(
        int block, IReadOnlyList<Trial> trials, Action<Trial, IterationRow, TimeSpan> recorded, CancellationToken stopping)
    {
        await using var deployment = await Deployment.StartAsync(job, pinning, block, token.Queue(block), events, time, stopping);
        var runner = new TrialRunner(job, token, deployment, new FaultSchedules(job, deployment, events, time), writer, events, time);
        try
        {
            await RunAsync(trials, deployment, runner, recorded, stopping);
        }
        finally
        {
            if (Bill is { } bill)
                // Also of a run that was stopped.
                Bill = bill with { Made = _queueCalls += await deployment.QueueCallsAsync(CancellationToken.None) };
        }
    }

    private async Task RunAsync(
        IReadOnlyList<Trial> trials, Deployment deployment, TrialRunner runner, Action<Trial, IterationRow, TimeSpan> recorded,
        CancellationToken stopping)
    {
        foreach (var trial in trials)
        {
            var begun = time.GetTimestamp();
            var (row, clockMonotonic) = await runner.RunAsync(trial, stopping);
            Checks = Checks with { ClockMonotonic = Checks.ClockMonotonic && clockMonotonic };
            Cores = pinning.IsPinned ? deployment.ReadCores() : [];
            recorded(trial, row, time.GetElapsedTime(begun));
            await ThrowIfDeadAsync(deployment);
        }
    }

    private async Task ThrowIfDeadAsync(Deployment deployment)
    {
        if (deployment.Dead is not { } dead)
            return;
        var exit = await dead.Exited;
        Checks = deployment.IsQueue(dead) ? Checks with { QueueAlive = false } : Checks with { ServersAlive = false };
        events.Add("died", dead.Name, $"exit code {exit.ExitCode}");
        throw new RefusalException(ExitCode.Unreachable,
            $"The {dead.Name} server ended by itself with exit code {exit.ExitCode}, so the run was ended; what was recorded is kept in "
                + $"{job.Folder}. It wrote last: {string.Join(" | ", exit.LastLines)}");
    }
}
