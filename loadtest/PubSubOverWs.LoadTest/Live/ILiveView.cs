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
