namespace PubSubOverWs.Relay;

/// <summary>
/// What all connections were given and have not settled, and how much that may be. Beside that there is half as much for those who have
/// nothing: however many have taken all they can, one after the other, the next is given something.
/// </summary>
internal sealed class GivenTotal(MostGiven most)
{
    // A first message that keeps more is no small thing, and waits until there is room for it.
    private const int SmallParts = 256;

    public long MessagesForFirsts { get; } = most.ForFirsts.Messages;
    public long BytesForFirsts { get; } = most.ForFirsts.Bytes;
    public long MostBytesOfFirst { get; } = most.ForFirsts.Bytes / SmallParts;

    public FairShare Messages { get; } = new(most.Messages);

    /// <summary>Of the memory that the broker keeps for the messages (<see cref="KeptMemory"/>).</summary>
    public FairShare Bytes { get; } = new(most.Bytes);
}
