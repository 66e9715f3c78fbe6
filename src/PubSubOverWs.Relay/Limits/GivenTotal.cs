namespace PubSubOverWs.Relay;

/// <summary>
/// Messages that all connections were given and have not settled, and how many that may be. Half as much again is reserved for connections
/// that have nothing: however many have taken all they can, one after the other, the next is given something.
/// </summary>
internal sealed class GivenTotal(MostGiven most)
{
    public FairShare Messages { get; } = new(most.Messages);

    /// <summary>Of the memory that the broker keeps for the messages (<see cref="Delivery.Memory"/>).</summary>
    public FairShare Bytes { get; } = new(most.Bytes);

    /// <summary>True: a connection that has nothing may be given a message, whatever others of its user or destination have.</summary>
    public bool HasRoomForFirst =>
        Messages.Taken < Messages.Total + most.ForFirsts.Messages && Bytes.Taken < Bytes.Total + most.ForFirsts.Bytes;
}

/// <summary>Messages that the connections of one user, or the subscribers of one destination, were given and have not settled.</summary>
internal sealed class GivenShare(GivenTotal total)
{
    public Share Messages { get; } = new(total.Messages);
    public Share Bytes { get; } = new(total.Bytes);

    public void Count(int messages, long bytes)
    {
        Messages.Count(messages);
        Bytes.Count(bytes);
    }
}
