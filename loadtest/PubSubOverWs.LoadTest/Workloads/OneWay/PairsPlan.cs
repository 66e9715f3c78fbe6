using PubSubOverWs.LoadTest.Network.Toxics;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>How pairs of a publisher and a subscriber come back and read.</summary>
public sealed record PairsPlan
{
    // Unanswered messages together: a send then fits the socket's buffer and never delays those of other users.
    private const int MostBytesUnanswered = 65_536;

    /// <summary>Of the waits before reconnecting, and of the slow subscribers: the same for the arms of a pair of iterations.</summary>
    public long Seed { get; init; }

    /// <summary>How long a subscriber stays away after it lost its connection; zero: it backs off as a publisher does.</summary>
    public TimeSpan Away { get; init; }

    /// <summary>
    /// How many publishes of one user may be without a receipt: as many as a server of ours takes at a time from one connection.
    /// </summary>
    public int MostUnanswered { get; init; } = 64;

    /// <summary>How many publishes of this size may be without a receipt: 1 or more, however large they are.</summary>
    public int MostUnansweredOf(int bytes) => Math.Clamp(MostBytesUnanswered / bytes, 1, MostUnanswered);

    /// <summary>How many of the subscribers read slowly: 0 to 1, rounded to whole ones.</summary>
    public double SlowShare { get; init; }

    /// <summary>What each of them reads at most, until all deadlines are over. 10 or more.</summary>
    public int SlowBytesPerSecond { get; init; } = int.MaxValue;

    /// <summary>The users, from 0, whose subscribers read slowly.</summary>
    /// <param name="users">How many there are.</param>
    public IReadOnlySet<int> SlowAmong(int users) =>
        Draws.Share([.. Enumerable.Range(0, users).Select(user => (long)user)], SlowShare, Seed).Select(user => (int)user).ToHashSet();

    /// <summary>Of a client.</summary>
    /// <param name="iteration">In which another wait is drawn than in the others.</param>
    /// <param name="user">From 0.</param>
    /// <param name="isSubscriber">Or the publisher.</param>
    public Backoff BackoffOf(int iteration, int user, bool isSubscriber) =>
        new(Draws.For(Seed, iteration, isSubscriber ? (2 * user) + 1 : 2 * user), isSubscriber ? Away : TimeSpan.Zero);
}
