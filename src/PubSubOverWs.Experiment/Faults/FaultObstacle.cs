using System.Globalization;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>Why nothing of a run under a fault is judged.</summary>
public static class FaultObstacle
{
    /// <param name="run">What was asked and where.</param>
    /// <param name="isValid">False: it breaks a check of validity.</param>
    /// <param name="arms">Of one level.</param>
    /// <returns>Such as <c>the run is invalid</c>; null: nothing stands in the way.</returns>
    public static string? Of(RunRecord run, bool isValid, IReadOnlyList<ArmEvidence> arms)
    {
        var fault = run.Scenario.Fault;
        if (!isValid)
            return "the run is invalid";
        if (!run.Complete)
            return "the run is incomplete";
        if (fault.NeedsPinning && run.SetUp.NotPinnedBecause is { } why)
            return $"nothing was pinned: {why}";
        if (fault is RestartFault { Times: < 2 })
            return "the server was ended once an iteration, and twice is the least";
        return arms.FirstOrDefault(arm => arm.Deeds < fault.LeastDeeds) is { } few
            ? string.Create(
                CultureInfo.InvariantCulture, $"{few.Arm} has {few.Deeds} deeds over the run, and {fault.LeastDeeds} is the least")
            : null;
    }
}
