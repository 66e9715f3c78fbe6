namespace PubSubOverWs.Experiment.Records;

/// <summary>/stats of one server around one iteration, as it answered.</summary>
/// <param name="Server">For example <c>direct</c>.</param>
/// <param name="Before">JSON, from just before the burst; null: it could not be had.</param>
/// <param name="After">JSON, from after the drain; null: it could not be had.</param>
public sealed record ServerStats(string Server, string? Before, string? After);

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

/// <summary>
/// Bytes the server under test sent to its clients, counted where they leave, from just before the burst until the drain ended.
/// </summary>
/// <param name="Payload">Message bodies.</param>
/// <param name="Stomp">Commands, headers and the closing NUL.</param>
/// <param name="WebSocket">Frame headers.</param>
/// <param name="Total">As counted by the server; the three kinds add up to it.</param>
public readonly record struct ClientBytes(long Payload, long Stomp, long WebSocket, long Total)
{
    public ClientBytes Add(ClientBytes other) =>
        new(Payload + other.Payload, Stomp + other.Stomp, WebSocket + other.WebSocket, Total + other.Total);
}

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

/// <summary>Calls to the queue, or the bytes of their requests, by kind of call.</summary>
public readonly record struct QueueCounts(long Send, long Receive, long Delete, long ChangeVisibility, long Other)
{
    public long Total => Send + Receive + Delete + ChangeVisibility + Other;

    public QueueCounts Add(QueueCounts other) => new(
        Send + other.Send,
        Receive + other.Receive,
        Delete + other.Delete,
        ChangeVisibility + other.ChangeVisibility,
        Other + other.Other);
}
