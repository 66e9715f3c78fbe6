namespace PubSubOverWs.Experiment.Claims;

/// <summary>The verdict on one row.</summary>
/// <param name="Users">The level.</param>
/// <param name="Verdict">What it is.</param>
/// <param name="Reason">Why, in a few words.</param>
public sealed record RowVerdict(int Users, Verdict Verdict, string Reason)
{
    /// <summary>The hypothesis claims something at this level: elsewhere the row is told, and does not speak for or against it.</summary>
    public bool IsClaimed { get; init; } = true;
}
