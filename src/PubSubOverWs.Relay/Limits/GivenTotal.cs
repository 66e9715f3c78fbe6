namespace PubSubOverWs.Relay;

/// <summary>What all connections were given and have not settled, and how much that may be.</summary>
internal sealed class GivenTotal(MostGiven most)
{
    public FairShare Messages { get; } = new(most.Messages);

    /// <summary>Of the memory that the broker keeps for the messages (<see cref="KeptMemory"/>).</summary>
    public FairShare Bytes { get; } = new(most.Bytes);
}
