namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>A topic, and what is published to it.</summary>
/// <param name="Name">Distinguishes its messages and the topic from those of any other that meets the same server.</param>
/// <param name="Publishers">1 or more; they send in turn.</param>
/// <param name="Messages">Of all publishers together: 1 or more.</param>
/// <param name="PayloadBytes">Of each body.</param>
/// <param name="Receipts">Asks for a receipt of each SEND.</param>
public sealed record TopicPlan(string Name, int Publishers, int Messages, int PayloadBytes, bool Receipts)
{
    /// <summary>What all message ids begin with.</summary>
    public string Prefix => $"{Name}-";

    public string Destination => $"/topic/{Name}";

    /// <summary>The publisher whose turn a message is.</summary>
    /// <param name="message">From 0, in the order in which they are due.</param>
    public int PublisherOf(int message) => message % Publishers;

    /// <summary>The application id of a message.</summary>
    /// <param name="message">From 0.</param>
    public string MessageId(int message) => Invariant($"{Prefix}{message}");
}
