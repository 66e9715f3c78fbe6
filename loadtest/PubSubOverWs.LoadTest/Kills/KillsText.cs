using System.Globalization;

namespace PubSubOverWs.LoadTest.Kills;

/// <summary>The figures as lines of text, in the same digits everywhere.</summary>
internal static class KillsText
{
    private const double MiB = 1 << 20;

    public static IEnumerable<string> Lines(KillsFigures figures) =>
    [
        Invariant($"{figures.Messages} messages, the server killed {figures.Killed} times, in {figures.Seconds:0.0} s ({figures.MessagesPerSecond:0} messages/s); it was away for {figures.MeanOutageSeconds:0.00} s in the mean, {figures.LongestOutageSeconds:0.00} s at most"),
        Invariant($"{figures.Acknowledged} acknowledged, {figures.Delivered} delivered, {figures.LostAcknowledged} acknowledged and lost, {figures.Unexpected} unexpected, {figures.Corrupted} corrupted"),
        Invariant($"{figures.DuplicatesRedelivered} duplicates of messages published once, which the queue handed out again; {figures.DuplicatesPublishedAgain} of messages published again, as happened {figures.PublishedAgain} times; at most {figures.MostDuplicates} may be"),
        Invariant($"queue: {figures.Drain}, {figures.DeadLettered} dead-lettered; resident at the end: server {figures.ServerResidentBytes / MiB:0} MiB, queue {figures.QueueResidentBytes / MiB:0} MiB"),
    ];

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
