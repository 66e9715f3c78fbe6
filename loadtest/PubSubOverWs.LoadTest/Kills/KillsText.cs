using static System.FormattableString;

namespace PubSubOverWs.LoadTest.Kills;

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
