using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.Record.Accounting;

/// <summary>
/// Stories, told to a detector in a random order. What must be counted follows from the stories alone (<see cref="InjectedCounts"/>):
/// nothing here looks at what was told before.
/// </summary>
/// <param name="stories">Neighbours, the first and the second and so on, are one message for two recipients.</param>
/// <param name="strays">How many messages come that nobody sent, or to whom they were not meant.</param>
/// <param name="random">Decides the order, and times within what the fates allow.</param>
public sealed class InjectedLoad(IReadOnlyList<Story> stories, int strays, Random random)
{
    public static readonly TimeSpan Deadline = TimeSpan.FromSeconds(10);

    // Each line keeps its order; what is in different lines comes in any.
    private readonly List<Queue<Action<Detector>>> _lines = [];

    public IReadOnlyList<Intention> Plan { get; } = [.. stories.Select((story, i) => new Intention(
        $"m{i / 2}", PublisherOf(stories, i), i / 2, RecipientOf(stories, i), TimeSpan.FromMilliseconds(i)))];

    /// <summary>
    /// Which stories come behind a later one of their publisher: those held back, but for the last, which has none behind it.
    /// </summary>
    public static IEnumerable<int> HeldBack(IReadOnlyList<Story> stories) => Streams(stories).SelectMany(HeldBackIn(stories));

    /// <summary>Tells everything once.</summary>
    public Detector Play()
    {
        for (var i = 0; i < stories.Count; i++)
            TellOfSending(i);
        foreach (var stream in Streams(stories))
            Tell(Arrivals(stream));
        for (var i = 0; i < strays; i++)
            TellOfStray(i);

        var detector = new Detector(Plan);
        while (_lines.Count > 0)
        {
            var line = _lines[random.Next(_lines.Count)];
            line.Dequeue()(detector);
            if (line.Count == 0)
                _lines.Remove(line);
        }
        return detector;
    }

    private static int PublisherOf(IReadOnlyList<Story> stories, int i) => stories[i - (i % 2)].Publisher;

    private static int RecipientOf(IReadOnlyList<Story> stories, int i) => (2 * stories[i].Recipient) + (i % 2);

    /// <summary>All that concerns one recipient and one publisher, in the order in which it was meant to come.</summary>
    private static IEnumerable<int[]> Streams(IReadOnlyList<Story> stories) =>
        Enumerable.Range(0, stories.Count).GroupBy(i => (PublisherOf(stories, i), RecipientOf(stories, i)))
            .Select(stream => stream.ToArray());

    private static Func<int[], IEnumerable<int>> HeldBackIn(IReadOnlyList<Story> stories) =>
        stream => stream.Where(i => stories[i].Comes).SkipLast(1).Where(i => stories[i].HeldBack);

    private void TellOfSending(int i)
    {
        var (story, one) = (stories[i], Plan[i]);
        if (story.Fate != Fate.NeverSent)
            Tell(detector => detector.Sent(i, one.Due));
        if (story.IsTaken || story.Fate == Fate.TurnedAway)
            Tell(detector => detector.Receipt(i, one.Due, story.IsTaken));
        if (story.Fate is Fate.TurnedAway or Fate.NeverSent)
            Tell(detector => detector.Failed(i, story.Refusal));
        else if (story.ConnectionEnds)
            Tell(detector => detector.Failed(i, Cause.ServerClosed));
    }

    private List<Action<Detector>> Arrivals(int[] stream)
    {
        var held = HeldBackIn(stories)(stream).ToList();
        var first = stream.Where(i => stories[i].Comes && !held.Contains(i)).ToList();
        foreach (var i in held)
            first.Insert(random.Next(first.FindIndex(other => other > i && !held.Contains(other)) + 1, first.Count + 1), i);

        var arrivals = first.ConvertAll<(int Story, bool Intact)>(i => (i, true));
        foreach (var i in stream)
        {
            for (var copy = 0; copy < stories[i].Copies && stories[i].Comes; copy++)
                arrivals.Insert(random.Next(arrivals.IndexOf((i, true)) + 1, arrivals.Count + 1), (i, true));
            for (var copy = 0; copy < stories[i].Corrupted; copy++)
                arrivals.Insert(random.Next(arrivals.Count + 1), (i, false));
        }
        return arrivals.ConvertAll(one => Arrival(one.Story, one.Intact));
    }

    private Action<Detector> Arrival(int i, bool intact)
    {
        var (id, recipient) = (intact || random.Next(3) > 0 ? Plan[i].MessageId : null, Plan[i].Recipient);
        var fromBorder = TimeSpan.FromTicks(random.Next(2) * random.NextInt64(Deadline.Ticks));
        var at = Plan[i].Due + (stories[i].Fate == Fate.Late ? Deadline + TimeSpan.FromTicks(1) + fromBorder : Deadline - fromBorder);
        return detector => detector.Received(id, recipient, at, intact);
    }

    // Of another run, without an id, or to another recipient.
    private void TellOfStray(int number)
    {
        var known = Plan.Count == 0 ? default : Plan[random.Next(Plan.Count)];
        (string? Id, int Recipient) stray = (number % 3) switch
        {
            0 => ("other", known.Recipient),
            1 => (null, known.Recipient),
            _ => (known.MessageId ?? "none", known.Recipient + 100),
        };
        Tell(detector => detector.Received(stray.Id, stray.Recipient, TimeSpan.FromMilliseconds(number), intact: true));
    }

    private void Tell(params List<Action<Detector>> line)
    {
        if (line.Count > 0)
            _lines.Add(new(line));
    }
}

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
