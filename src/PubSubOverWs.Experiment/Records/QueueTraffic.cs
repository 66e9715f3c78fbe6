namespace PubSubOverWs.Experiment.Records;

/// <summary>
/// What the server and the queue said to each other, over the same time as <see cref="ClientBytes"/>. All zero for an arm without a queue.
/// </summary>
/// <param name="Calls">Requests, by kind.</param>
/// <param name="EmptyReceives">Receive calls that brought nothing.</param>
/// <param name="BytesOut">Bytes of the requests, by kind.</param>
/// <param name="BytesIn">Bytes of the answers.</param>
public readonly record struct QueueTraffic(QueueCounts Calls, long EmptyReceives, QueueCounts BytesOut, long BytesIn)
{
    public QueueTraffic Add(QueueTraffic other) => new(
        Calls.Add(other.Calls),
        EmptyReceives + other.EmptyReceives,
        BytesOut.Add(other.BytesOut),
        BytesIn + other.BytesIn);
}
