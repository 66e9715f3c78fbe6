using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>Counts what happened to SQS messages (not to the messages in them) since the server started. Safe from any thread.</summary>
internal sealed class QueueMeter
{
    private long _sent, _received, _deleted, _released, _redelivered, _deadLettered, _staleReceipts, _noEnvelope, _forwarded;
    private long _parked, _parkedRounds, _deadLettersRefused;

    public void AddSent(int count) => Interlocked.Add(ref _sent, count);

    public void AddReceived(int count) => Interlocked.Add(ref _received, count);

    public void AddDeleted(int count) => Interlocked.Add(ref _deleted, count);

    public void AddReleased(int count) => Interlocked.Add(ref _released, count);

    /// <summary>A message (this one in an envelope) was handed to a subscriber, not for the first time, or perhaps not.</summary>
    public void AddRedelivered() => Interlocked.Increment(ref _redelivered);

    public void AddDeadLettered() => Interlocked.Increment(ref _deadLettered);

    public void AddStaleReceipts(int count) => Interlocked.Add(ref _staleReceipts, count);

    public void AddNoEnvelope() => Interlocked.Increment(ref _noEnvelope);

    /// <summary>A message (this one in an envelope) was sent to the queue of another node.</summary>
    public void AddForwarded() => Interlocked.Increment(ref _forwarded);

    /// <summary>A message was sent to the parked queue.</summary>
    public void AddParked() => Interlocked.Increment(ref _parked);

    /// <summary>A round through the parked queue ended.</summary>
    public void AddParkedRound() => Interlocked.Increment(ref _parkedRounds);

    /// <summary>The dead-letter queue refused a message because of its content.</summary>
    public void AddDeadLetterRefused() => Interlocked.Increment(ref _deadLettersRefused);

    /// <param name="urls">The queue that stands for all that are counted here.</param>
    /// <param name="held">Messages that were received from all queues and are not settled, and the bytes of their bodies.</param>
    /// <param name="nodes">Servers that share the work, with this one.</param>
    public QueueStats Read(QueueUrls urls, QueueTraffic traffic, (long Messages, long Bytes) held, int nodes) => new()
    {
        Name = urls.Name,
        Url = urls.Url,
        DeadLetterUrl = urls.DeadLetterUrl,
        ParkedUrl = urls.ParkedUrl,
        Held = held.Messages,
        HeldBytes = held.Bytes,
        Calls = ByKind(traffic.Calls),
        BytesOut = ByKind(traffic.BytesOut),
        BytesIn = traffic.BytesIn,
        EmptyReceives = traffic.EmptyReceives,
        Retries = traffic.Retries,
        Corrupted = traffic.Corrupted,
        Sent = Interlocked.Read(ref _sent),
        Received = Interlocked.Read(ref _received),
        Deleted = Interlocked.Read(ref _deleted),
        Released = Interlocked.Read(ref _released),
        Redelivered = Interlocked.Read(ref _redelivered),
        DeadLettered = Interlocked.Read(ref _deadLettered),
        StaleReceipts = Interlocked.Read(ref _staleReceipts),
        NoEnvelope = Interlocked.Read(ref _noEnvelope),
        Forwarded = Interlocked.Read(ref _forwarded),
        Parked = Interlocked.Read(ref _parked),
        ParkedRounds = Interlocked.Read(ref _parkedRounds),
        DeadLettersRefused = Interlocked.Read(ref _deadLettersRefused),
        Nodes = nodes,
    };

    private static Dictionary<string, long> ByKind(Func<QueueCall, long> count) => new(StringComparer.Ordinal)
    {
        ["send"] = count(QueueCall.Send),
        ["receive"] = count(QueueCall.Receive),
        ["delete"] = count(QueueCall.Settle),
        ["changeVisibility"] = count(QueueCall.Hold),
        ["other"] = count(QueueCall.Other),
    };
}
