using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.Record.Accounting;

/// <summary>The expected counts by the rules of docs/reference/method.md, computed from the stories and not from observations.</summary>
public static class InjectedCounts
{
    public static Buckets Buckets(IReadOnlyList<Story> stories, QueueRemains remains)
    {
        var (taken, unanswered) = (Count(stories, Fate.LostThoughTaken), Count(stories, Fate.LostUnanswered));
        // The queue's counts are laid on what is missing, first on what was taken; dead letters before what is still queued.
        var dead = Math.Min(remains.DeadLettered, taken + unanswered);
        var found = dead + Math.Min(remains.StillQueued, taken + unanswered - dead);
        return new Buckets
        {
            Attempts = stories.Count,
            Acknowledged = stories.Count(story => story.IsTaken),
            Delivered = Count(stories, Fate.Delivered),
            Late = Count(stories, Fate.Late),
            Refused = Count(stories, Fate.TurnedAway) + Count(stories, Fate.NeverSent),
            DeadLettered = dead,
            StillQueued = found - dead,
            LostAcknowledged = Math.Max(0, taken - found),
            LostUnacknowledged = unanswered - Math.Max(0, found - taken),
            Causes = Causes(stories),
        };
    }

    public static Anomalies Anomalies(IReadOnlyList<Story> stories, int strays) => new(
        Duplicates: stories.Where(story => story.Comes).Sum(story => story.Copies),
        Reorderings: InjectedLoad.HeldBack(stories).Count(),
        Unexpected: strays,
        Corrupted: stories.Sum(story => story.Corrupted));

    private static CauseCounts Causes(IReadOnlyList<Story> stories)
    {
        var refused = stories.Where(story => story.Fate is Fate.TurnedAway or Fate.NeverSent).CountBy(story => story.Refusal)
            .ToDictionary();
        var lost = stories.Where(story => story.Fate is Fate.LostThoughTaken or Fate.LostUnanswered)
            .ToLookup(story => story.ConnectionEnds);
        long Refused(Cause cause) => refused.GetValueOrDefault(cause);
        return new CauseCounts(
            Refused(Cause.ConnectRefused),
            Refused(Cause.ConnectTimeout),
            Refused(Cause.HandshakeRejected),
            Refused(Cause.SendError),
            Refused(Cause.Shed),
            Refused(Cause.NoSubscriber),
            ServerClosed: Refused(Cause.ServerClosed) + lost[true].Count(),
            Deadline: Count(stories, Fate.Late) + lost[false].Count());
    }

    private static long Count(IReadOnlyList<Story> stories, Fate fate) => stories.Count(story => story.Fate == fate);
}
