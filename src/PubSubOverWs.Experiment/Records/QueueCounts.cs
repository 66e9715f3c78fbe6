namespace PubSubOverWs.Experiment.Records;

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
