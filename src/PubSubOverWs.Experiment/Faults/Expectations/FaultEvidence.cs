namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>What expectations are judged by: all arms of one level.</summary>
/// <param name="IsValid">False: the run breaks a check of validity, and nothing is judged.</param>
/// <param name="Arms">Those that were run.</param>
public sealed record FaultEvidence(bool IsValid, IReadOnlyList<ArmEvidence> Arms)
{
    /// <summary>Null: the arm was not run, or no iteration of it counts.</summary>
    public ArmEvidence? Find(string arm) => Arms.FirstOrDefault(one => one.Arm == arm);

    /// <exception cref="InvalidOperationException">It was not run.</exception>
    public ArmEvidence Of(string arm) => Find(arm) ?? throw new InvalidOperationException($"There is no evidence of {arm}.");
}
