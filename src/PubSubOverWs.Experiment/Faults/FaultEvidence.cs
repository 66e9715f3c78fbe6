namespace PubSubOverWs.Experiment.Faults;

/// <summary>What expectations are judged by: all arms of one level.</summary>
/// <param name="Obstacle">Why nothing is judged, such as <c>the run is invalid</c>; null: nothing stands in the way.</param>
/// <param name="Arms">Those that were run.</param>
public sealed record FaultEvidence(string? Obstacle, IReadOnlyList<ArmEvidence> Arms)
{
    /// <summary>Over which the messages of an iteration were due; zero: all at once.</summary>
    public TimeSpan Spread { get; init; }

    /// <summary>Null: the arm was not run, or no iteration of it counts.</summary>
    public ArmEvidence? Find(string arm) => Arms.FirstOrDefault(one => one.Arm == arm);

    /// <exception cref="InvalidOperationException">It was not run.</exception>
    public ArmEvidence Of(string arm) => Find(arm) ?? throw new InvalidOperationException($"There is no evidence of {arm}.");
}
