namespace PubSubOverWs.Relay;

/// <summary>
/// One part of the most memory that clients can make a server take, by its settings. Each part of the server registers its own with the
/// services.
/// </summary>
/// <param name="Name">As the log and <c>/stats</c> show it.</param>
/// <param name="Bytes">At most, for all connections together.</param>
/// <param name="PerConnection">At most, in addition, for each connection.</param>
public sealed record MemoryShare(string Name, long Bytes, long PerConnection = 0)
{
    /// <summary>What a message takes in addition to <see cref="Message.Size"/>, in bytes.</summary>
    public const int PerMessage = MemoryBudget.PerMessage;
}
