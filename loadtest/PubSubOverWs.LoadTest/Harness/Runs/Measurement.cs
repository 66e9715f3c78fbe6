using PubSubOverWs.LoadTest.Harness.Live;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>
/// Runs all blocks of a job and writes the record as it goes: the record on disk is consistent at any time, even if the run is interrupted.
/// </summary>
public sealed class Measurement
{
    private readonly RunJob _job;
    private readonly TimeProvider _time;
    private readonly PinningPlan _pinning;
    private readonly Agenda _agenda;
    private readonly TimeLeft _left;
    private readonly long _start;
    private RunRecord _run;

    public Measurement(RunJob job, TimeProvider time)
    {
        _job = job;
        _time = time;
        _start = time.GetTimestamp();
        _agenda = new Agenda(job.Scenario, job.Trials);
        _left = job.TimeLeft;
        _pinning = PinningPlan.ForThisMachine(job.Scenario.Pinning);
        _run = RunDescription.Start(job, _pinning, time.GetUtcNow());
        Scores = new Scoreboard();
        foreach (var row in job.Recorded)
            Scores.Add(row);
    }

    /// <summary>Loss and latency so far, of the whole record.</summary>
    public Scoreboard Scores { get; }

    /// <summary>Trials of the job that have ended.</summary>
    public int Done => _agenda.Done;

    /// <summary>All trials of the job; while further warm-ups may still turn out not to be needed, at most so many.</summary>
    public int Total => Done + _agenda.Left.Count;

    /// <summary>Queues that could not be deleted, with the reasons.</summary>
    public IReadOnlyList<EventRow> QueuesLeft { get; private set; } = [];

    /// <param name="show">Called at the start and after each trial.</param>
    /// <param name="beforeTrial">Awaited before each trial or round.</param>
    /// <exception cref="OperationCanceledException">The run was interrupted; the record is consistent, and marked incomplete.</exception>
    public async Task RunAsync(Action<RunProgress> show, Func<CancellationToken, Task> beforeTrial, CancellationToken stopping)
    {
        if (_job.Trials.Count > 0)
            await Taskset.MoveThisProcessAsync(_pinning, stopping);
        using var writer = _job.Before is null
            ? RecordWriter.Create(_job.Folder, _run)
            : RecordWriter.Resume(_job.Folder, _run, _job.Superseded);
        var events = new EventLog(writer, _run.Started, _time);
        foreach (var worker in _job.Joined)
            events.Add("joined", worker.Name, $"{worker.Hello}");
        var blocks = new BlockRunner(_job, RunToken.Draw(_time.GetUtcNow()), _pinning, writer, events, _time);
        try
        {
            await RunAsync(blocks, writer, events, show, beforeTrial, stopping);
            _run = _run with { Complete = true };
        }
        finally
        {
            QueuesLeft = events.QueuesLeft;
            _run = Found(blocks) with { Ended = _time.GetUtcNow() };
            writer.End(_run);
        }
    }

    private async Task RunAsync(
        BlockRunner blocks, RecordWriter writer, EventLog events, Action<RunProgress> show, Func<CancellationToken, Task> beforeTrial,
        CancellationToken stopping)
    {
        show(Progress(null) with { Rows = _job.Recorded });
        foreach (var block in _job.Trials.GroupBy(trial => trial.Block))
        {
            show(Progress(_agenda.Last) with
            { Begins = new(Invariant($"starting the servers of block {block.Key}"), _left.For([], blocksToStart: 1)) });
            await blocks.RunAsync(
                block.Key,
                _agenda,
                async (round, cancellationToken) =>
                {
                    show(Progress(_agenda.Last) with { Begins = Begun(round) });
                    await beforeTrial(cancellationToken);
                },
                (trial, row, took) =>
                {
                    _left.Took(trial, took);
                    Scores.Add(row);
                    Keep(blocks, writer);
                    _agenda.Ended(row);
                    show(Progress(trial) with { Rows = [row], Events = events.TakeNew(), Processes = blocks.Uses });
                },
                stopping);
        }
    }

    private Activity Begun(IReadOnlyList<Trial> round) => round.Count == 1
        ? Activity.From(round[0], _left.For(round, blocksToStart: 0))
        : new(Invariant($"block {round[0].Block}, all arms at all levels at once"), _left.For(round, blocksToStart: 0));

    // Written at once: a killed process writes nothing at the end.
    private void Keep(BlockRunner blocks, RecordWriter writer)
    {
        if (blocks.Checks == _run.Checks && blocks.Browser == _run.SetUp.Browser && blocks.Cores.SequenceEqual(_run.SetUp.Pinned))
            return;
        _run = Found(blocks);
        writer.Replace(_run);
    }

    private RunRecord Found(BlockRunner blocks) =>
        _run with
        {
            Checks = blocks.Checks,
            Bill = blocks.Bill,
            SetUp = _run.SetUp with { Pinned = blocks.Cores, Browser = blocks.Browser },
        };

    private RunProgress Progress(Trial? last)
    {
        var remaining = _agenda.Left;
        var blocksToStart = remaining.Select(trial => trial.Block).Where(block => block != last?.Block).Distinct().Count();
        return new RunProgress(
            Done, Total, last, remaining.Count == 0 ? null : remaining[0],
            _time.GetElapsedTime(_start), _left.For(remaining, blocksToStart), Scores.Arms)
        { IsAtMost = _agenda.IsAtMost };
    }
}
