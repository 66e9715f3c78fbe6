using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Live;

/// <summary>
/// Shows a run while it runs: <see cref="LiveTable"/> on a terminal, <see cref="PlainLines"/> anywhere else, <see cref="LivePage"/> in
/// browsers.
/// </summary>
public interface ILiveView
{
    /// <summary>Runs <paramref name="work"/> and shows the progress that it reports; one call at a time.</summary>
    Task WhileAsync(Func<Action<RunProgress>, Task> work);

    /// <summary>
    /// Called before each trial. Completes when everything is shown: from then until the next progress the view does nothing.
    /// </summary>
    Task BeforeTrialAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}

/// <summary>A snapshot of a run, taken between iterations, so that drawing never competes with the load.</summary>
/// <param name="Done">Finished iterations.</param>
/// <param name="Total">All iterations, counted from the start or from where the run was resumed; at most, if so marked.</param>
/// <param name="Last">The trial that has just ended; null at the start.</param>
/// <param name="Next">The trial that starts now; null at the end.</param>
/// <param name="Elapsed">Since the first block began.</param>
/// <param name="Left">The estimated time to the end; at most, if so marked.</param>
/// <param name="Arms">Loss and latency so far, by level and arm.</param>
public sealed record RunProgress(
    int Done, int Total, Trial? Last, Trial? Next, TimeSpan Elapsed, TimeSpan Left, IReadOnlyList<ArmProgress> Arms)
{
    /// <summary>True: arms may need fewer warm-ups than are counted.</summary>
    public bool IsAtMost { get; init; }

    /// <summary>What was recorded since the last snapshot; in the first, the rows of the run that is resumed.</summary>
    public IReadOnlyList<IterationRow> Rows { get; init; } = [];

    /// <summary>What was recorded in events.csv since the last snapshot.</summary>
    public IReadOnlyList<EventRow> Events { get; init; } = [];

    /// <summary>The processes of the block and this program, as they are now; empty unless a live page was asked for.</summary>
    public IReadOnlyList<NamedUse> Processes { get; init; } = [];

    /// <summary>
    /// What begins now and how long it is expected to take, during which nothing is drawn. Null: a trial has just ended, or the run.
    /// </summary>
    public Activity? Begins { get; init; }
}

/// <summary>A part of a run that is not interrupted to draw.</summary>
/// <param name="What">Such as <c>block 1, 50 users, direct</c>.</param>
/// <param name="Takes">Estimated.</param>
public sealed record Activity(string What, TimeSpan Takes)
{
    public static Activity Of(Trial trial, TimeSpan takes) => new(
        FormattableString.Invariant($"block {trial.Block}, {trial.Level}, {trial.Arm}{ProgressText.WarmUp(trial)}"), takes);

    public override string ToString() => $"{What}: takes about {ProgressText.Duration(Takes)}";
}

/// <summary>Results of an arm at one level so far, without warm-up.</summary>
/// <param name="Iterations">Measured iterations so far.</param>
/// <param name="Attempts">Messages that should have arrived.</param>
/// <param name="Delivered">Messages that arrived in time.</param>
/// <param name="MeanLatency">Mean over the iterations' means; null when nothing was delivered.</param>
public sealed record ArmProgress(string Arm, Level Level, int Iterations, long Attempts, long Delivered, TimeSpan? MeanLatency)
{
    /// <summary>From 0 to 1; null before anything was attempted.</summary>
    public double? Loss => Attempts == 0 ? null : 1 - (double)Delivered / Attempts;
}
