namespace PubSubOverWs.Relay;

/// <summary>What the connections of one user, or the subscribers of one destination, were given and have not settled.</summary>
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
