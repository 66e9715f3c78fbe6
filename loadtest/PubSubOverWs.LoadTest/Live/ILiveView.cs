using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.LoadTest.Live;

/// <summary>Shows a run while it runs: <see cref="LiveTable"/> on a terminal, <see cref="PlainLines"/> anywhere else.</summary>
public interface ILiveView
{
    /// <summary>Runs <paramref name="work"/> and shows whatever it hands to its argument; one call at a time.</summary>
    Task WhileAsync(Func<Action<RunProgress>, Task> work);
}

/// <summary>Where a run stands: a snapshot, taken between iterations, so that drawing never competes with the load.</summary>
/// <param name="Done">Iterations that ended.</param>
/// <param name="Total">Iterations of the whole run, from the start or from where it was resumed.</param>
/// <param name="Last">What has just ended; null at the start.</param>
/// <param name="Next">What begins now; null at the end.</param>
/// <param name="Elapsed">Since the first block began.</param>
/// <param name="Left">The estimate of what is still to come.</param>
/// <param name="Arms">Loss and latency so far, by level and arm.</param>
public sealed record RunProgress(
    int Done, int Total, Trial? Last, Trial? Next, TimeSpan Elapsed, TimeSpan Left, IReadOnlyList<ArmProgress> Arms);

/// <summary>What an arm has shown so far at one level, warm-up left out.</summary>
/// <param name="Arm">The arm.</param>
/// <param name="Level">At which level.</param>
/// <param name="Iterations">Measured iterations so far.</param>
/// <param name="Attempts">Messages that should have arrived.</param>
/// <param name="Delivered">Messages that arrived in time.</param>
/// <param name="MeanLatency">Mean over the iterations' means; null when nothing was delivered.</param>
public sealed record ArmProgress(string Arm, Level Level, int Iterations, long Attempts, long Delivered, TimeSpan? MeanLatency)
{
    /// <summary>From 0 to 1; null before anything was attempted.</summary>
    public double? Loss => Attempts == 0 ? null : 1 - (double)Delivered / Attempts;
}
