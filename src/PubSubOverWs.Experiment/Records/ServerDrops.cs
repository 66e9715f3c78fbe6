namespace PubSubOverWs.Experiment.Records;

/// <summary>
/// What the server under test says it dropped, from its /stats: the other side of a loss that a client only sees as silence.
/// </summary>
/// <param name="NoSubscriber">Nobody subscribed.</param>
/// <param name="Shed">An outbox or a prefetch was full.</param>
/// <param name="Closed">The connection was closed with messages in its outbox.</param>
public readonly record struct ServerDrops(long NoSubscriber, long Shed, long Closed)
{
    public long Total => NoSubscriber + Shed + Closed;

    public ServerDrops Add(ServerDrops other) => new(NoSubscriber + other.NoSubscriber, Shed + other.Shed, Closed + other.Closed);
}
