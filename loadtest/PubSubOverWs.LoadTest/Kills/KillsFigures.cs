namespace PubSubOverWs.LoadTest.Kills;

/// <summary>What became of the messages of a kill loop.</summary>
public sealed record KillsFigures
{
    public required int Seed { get; init; }

    /// <summary>How many there were to publish.</summary>
    public required int Messages { get; init; }

    public required int Kills { get; init; }

    /// <summary>Kills that were carried out.</summary>
    public required int Killed { get; init; }

    /// <summary>Messages whose publisher heard that they were taken.</summary>
    public required int Acknowledged { get; init; }

    /// <summary>Different messages that came.</summary>
    public required int Delivered { get; init; }

    /// <summary>Acknowledged messages that did not come.</summary>
    public required int LostAcknowledged { get; init; }

    /// <summary>All that came, copies too.</summary>
    public required long Arrivals { get; init; }

    /// <summary>Duplicates of messages that were published once: the queue handed them out again.</summary>
    public required long DuplicatesRedelivered { get; init; }

    /// <summary>Duplicates of messages that were published again, because their publisher had heard nothing: two copies may have been taken, or one was handed out again.</summary>
    public required long DuplicatesPublishedAgain { get; init; }

    /// <summary>How often a publisher published a message again.</summary>
    public required int PublishedAgain { get; init; }

    /// <summary>Arrivals that are none of the messages.</summary>
    public required long Unexpected { get; init; }

    public required long Corrupted { get; init; }

    /// <summary>From a kill until the server was ready again.</summary>
    public required double LongestOutageSeconds { get; init; }

    public required double MeanOutageSeconds { get; init; }

    /// <summary>From the first publish to the last arrival.</summary>
    public required double Seconds { get; init; }

    /// <summary>Of the server's last process, at the end.</summary>
    public required long ServerResidentBytes { get; init; }

    public required long QueueResidentBytes { get; init; }

    /// <summary>Nothing is in the queue any more, and the server holds nothing.</summary>
    public required bool IsDrained { get; init; }

    /// <summary>The same in words, with what was seen last.</summary>
    public required string Drain { get; init; }

    public required long DeadLettered { get; init; }

    public double MessagesPerSecond => Messages / Seconds;

    /// <summary>All were acknowledged, all of them came whole, and the queue is proven empty.</summary>
    public bool IsProof =>
        Killed == Kills && Acknowledged == Messages && Delivered == Messages && LostAcknowledged == 0 && Unexpected == 0 && Corrupted == 0 && IsDrained && DeadLettered == 0;
}
