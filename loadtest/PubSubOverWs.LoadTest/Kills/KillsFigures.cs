using static System.FormattableString;

namespace PubSubOverWs.LoadTest.Kills;

/// <summary>What became of the messages of a kill loop.</summary>
public sealed record KillsFigures
{
    /// <summary>When it began; null in figures of versions that did not say.</summary>
    public DateTimeOffset? Started { get; init; }

    /// <summary>What this program was built from; null: not known.</summary>
    public string? Commit { get; init; }

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

    /// <summary>
    /// What the server may have received and not deleted when it is killed: its <c>Sqs:MaxInFlight</c>. Figures that do not say have the
    /// default of the server.
    /// </summary>
    public int MostReceived { get; init; } = 50_000;

    /// <summary>What all publishers together may have sent without an answer when the server is killed.</summary>
    public int MostUnanswered { get; init; } = 200;

    /// <summary>Duplicates of messages that were published once: the queue handed them out again.</summary>
    public required long DuplicatesRedelivered { get; init; }

    /// <summary>
    /// Duplicates of messages that were published again, because their publisher had heard nothing: two copies may have been taken, or one
    /// was handed out again.
    /// </summary>
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

    public long Duplicates => DuplicatesRedelivered + DuplicatesPublishedAgain;

    /// <summary>Each kill lets come again what the server had received, and lets be published again what it had not answered.</summary>
    public long MostDuplicates => (long)Killed * (MostReceived + MostUnanswered);

    /// <summary>
    /// No more came twice, and no more was published again, than the kills explain; and every arrival is a message or a duplicate of one.
    /// </summary>
    public bool IsBounded =>
        DuplicatesRedelivered <= (long)Killed * MostReceived && PublishedAgain <= (long)Killed * MostUnanswered
            && Duplicates <= MostDuplicates
        && Arrivals == Delivered + Duplicates + Unexpected;

    /// <summary>
    /// All were acknowledged, all of them came whole, the queue is proven empty, and the duplicates are within their bound.
    /// </summary>
    public bool IsProof =>
        Killed == Kills && Acknowledged == Messages && Delivered == Messages && LostAcknowledged == 0 && Unexpected == 0 && Corrupted == 0
            && IsDrained && DeadLettered == 0
        && IsBounded;
}

/// <summary>The figures as lines of text, in the same digits everywhere.</summary>
internal static class KillsText
{
    private const double MiB = 1 << 20;

    public static IEnumerable<string> Lines(KillsFigures figures) =>
    [
        Invariant($"{figures.Messages} messages, the server killed {figures.Killed} times, in {figures.Seconds:0.0} s ")
            + Invariant(
                $"({figures.MessagesPerSecond:0} messages/s); it was away for {figures.MeanOutageSeconds:0.00} s in the mean, ")
                    + Invariant($"{figures.LongestOutageSeconds:0.00} s at most"),
        Invariant($"{figures.Acknowledged} acknowledged, {figures.Delivered} delivered, {figures.LostAcknowledged} acknowledged and ")
            + Invariant($"lost, {figures.Unexpected} unexpected, {figures.Corrupted} corrupted"),
        Invariant($"{figures.DuplicatesRedelivered} duplicates of messages published once, which the queue handed out again; ")
            + Invariant(
                $"{figures.DuplicatesPublishedAgain} of messages published again, as happened {figures.PublishedAgain} times; at most ")
                    + Invariant($"{figures.MostDuplicates} may be"),
        Invariant($"queue: {figures.Drain}, {figures.DeadLettered} dead-lettered; resident at the end: server ")
            + Invariant($"{figures.ServerResidentBytes / MiB:0} MiB, queue {figures.QueueResidentBytes / MiB:0} MiB"),
    ];
}
