namespace PubSubOverWs.Relay;

/// <summary>What clients together may have and not have settled of queues; messages of topics are settled before.</summary>
/// <param name="Messages">At least 1.</param>
/// <param name="Bytes">Of the memory that a broker keeps for them (<see cref="Delivery.Kept"/>), at least 1.</param>
public readonly record struct MostGiven(int Messages, long Bytes);
