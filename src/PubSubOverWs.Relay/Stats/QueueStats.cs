namespace PubSubOverWs.Relay;

/// <summary>
/// The part of a broker with a queue in <c>/stats</c>, counted since the server started. Bytes are those of requests (headers and body) as
/// sent.
/// </summary>
public sealed record QueueStats
{
    public required string Name { get; init; }
    public required string Url { get; init; }
    public required string DeadLetterUrl { get; init; }

    /// <summary>Where messages wait for a subscriber that this server cannot hold.</summary>
    public required string ParkedUrl { get; init; }

    /// <summary>Messages received from the queue and neither settled nor released: no subscriber yet, no room, or no ACK yet.</summary>
    public required long Held { get; init; }
    public required long HeldBytes { get; init; }

    /// <summary>Calls by kind: send, receive, delete, changeVisibility, other.</summary>
    public required IReadOnlyDictionary<string, long> Calls { get; init; }

    /// <summary>Request bytes to the queue by the same kinds.</summary>
    public required IReadOnlyDictionary<string, long> BytesOut { get; init; }
    public required long BytesIn { get; init; }
    public required long EmptyReceives { get; init; }

    /// <summary>Calls that were made again after a failure; they are in <see cref="Calls"/> too.</summary>
    public required long Retries { get; init; }

    /// <summary>Messages received whose body did not have the MD5 that came with it: left out, and received again.</summary>
    public required long Corrupted { get; init; }
    public required long Sent { get; init; }
    public required long Received { get; init; }
    public required long Deleted { get; init; }
    public required long Released { get; init; }
    public required long Redelivered { get; init; }
    public required long DeadLettered { get; init; }
    public required long StaleReceipts { get; init; }
    public required long NoEnvelope { get; init; }

    /// <summary>Messages sent on to the queue of another node, which has a subscriber.</summary>
    public required long Forwarded { get; init; }

    /// <summary>Messages sent to the parked queue, each time that they were.</summary>
    public required long Parked { get; init; }

    /// <summary>Times that the parked queue was gone through.</summary>
    public required long ParkedRounds { get; init; }

    /// <summary>Messages that the dead-letter queue refused, each time that it did: they are tried again every 15 min.</summary>
    public required long DeadLettersRefused { get; init; }

    /// <summary>Calls that failed in all of their attempts, or failed entries of a batch, by error code.</summary>
    public IReadOnlyDictionary<string, FailedCalls> Failures { get; init; } = new Dictionary<string, FailedCalls>();

    /// <summary>Servers that share the work, as far as this one has heard of them, with itself.</summary>
    public required int Nodes { get; init; }
}
