namespace PubSubOverWs.LoadTest.Load.Pairs;

/// <summary>How the connections of one user came back.</summary>
/// <param name="Subscriber">When its subscriber was away, in order.</param>
/// <param name="Publisher">When its publisher was away, in order.</param>
/// <param name="Republished">How often it sent a message again that had no answer.</param>
public sealed record Returns(IReadOnlyList<Absence> Subscriber, IReadOnlyList<Absence> Publisher, int Republished)
{
    /// <summary>Of a user whose connection does not come back.</summary>
    public static Returns None { get; } = new([], [], 0);
}
