namespace PubSubOverWs.Relay;

/// <summary>What clients together may have and not have settled of queues; messages of topics are settled before.</summary>
/// <param name="Messages">At least 1.</param>
/// <param name="Bytes">Of the memory that a broker keeps for them (<see cref="Delivery.Memory"/>), at least 1.</param>
public readonly record struct MostGiven(int Messages, long Bytes)
{
    /// <summary>Beside that, for connections that have nothing: half as much.</summary>
    public (int Messages, long Bytes) ForFirsts => (Messages / 2, Bytes / 2);
}
