namespace PubSubOverWs.LocalSqs;

/// <summary>A message in a queue. A million of them should fit in a process of modest size: no strings, no boxing.</summary>
internal sealed class StoredMessage(ulong number, MessageBody body, MessageExtras? extras, long sentAt, long sentTicks) : Due
{
    /// <summary>Unique in the process; its message id is made from it.</summary>
    public ulong Number { get; } = number;

    /// <summary>Milliseconds since 1970 (UTC).</summary>
    public long SentAt { get; } = sentAt;

    /// <summary>The same moment as a timestamp, from which its age is counted.</summary>
    public long SentTicks { get; } = sentTicks;

    public MessageBody Body { get; private set; } = body;

    /// <summary>Null: it has none of them.</summary>
    public MessageExtras? Extras { get; private set; } = extras;

    /// <summary>The bytes that it counts towards <see cref="LocalSqsOptions.MaxBytes"/>, until it is dropped.</summary>
    public long Bytes => Holdings.BytesOf(Body, Extras);

    public MessageState State { get; set; }

    /// <summary>Receives in all queues that it was in, which SQS shows.</summary>
    public int ReceiveCount { get; set; }

    /// <summary>Receives in its present queue, which decide when it goes to the dead-letter queue.</summary>
    public int ReceivedHere { get; set; }

    /// <summary>Milliseconds since 1970 (UTC); 0: never.</summary>
    public long FirstReceivedAt { get; set; }

    /// <summary>Grows with each receive: a receipt handle with an older one is stale.</summary>
    public uint Receipt { get; set; }

    /// <summary>When it was received last, as a timestamp.</summary>
    public long ReceivedTicks { get; set; }

    /// <summary>When it becomes visible, as a timestamp; <see cref="long.MaxValue"/>: it is.</summary>
    public long HiddenUntil { get; set; }

    public void Drop()
    {
        State = MessageState.Gone;
        Body = default;
        Extras = null;
    }
}

internal enum MessageState
{
    Delayed,
    Visible,
    InFlight,

    /// <summary>Deleted, expired, or moved to another queue. It may still stand in the line of visible ones, to be skipped.</summary>
    Gone,
}
