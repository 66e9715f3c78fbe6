using PubSubOverWs.LoadTest.Harness.Workers;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>One iteration. Requests are numbered from 0 in the order in which they are due.</summary>
/// <param name="Name">Distinguishes its topics from those of any other that meets the same server.</param>
/// <param name="Users">1 or more.</param>
/// <param name="Providers">1 or more.</param>
/// <param name="Rate">Requests a second.</param>
/// <param name="Requests">All of them.</param>
/// <param name="Settling">So many of the first are not counted.</param>
/// <param name="Deadline">From due; what comes later is late.</param>
/// <param name="Seed">Of who sends which request to whom; the same for all arms of an iteration.</param>
public sealed record RequestReplyPlan(
    string Name, int Users, int Providers, int Rate, int Requests, int Settling, int RequestBytes, int ReplyBytes, TimeSpan Deadline,
    ulong Seed)
{
    // A server that has just started is slow at first and catches up. More would not have left the queue of a server that never does when
    // the next trial is to begin.
    private const int MaxWhileSettling = 50_000;

    /// <summary>With more unanswered requests than this the load gives up: one was due longer ago than the deadline.</summary>
    /// <param name="request">The next; while requests are not counted yet, more may be unanswered.</param>
    /// <param name="share">Of the users, whose requests count.</param>
    public long MaxUnansweredAt(int request, LoadShare share)
    {
        var most = (long)(Rate * Deadline.TotalSeconds);
        return Math.Max(1, (request < Settling ? Math.Max(most, MaxWhileSettling) : most) * share.CountIn(Users) / Users);
    }

    /// <summary>
    /// When a request is due, from the first due. Over half of the time in which requests are not counted their rate rises evenly from 0: a
    /// server that has just started compiles what it runs, and what it is behind by then would be counted.
    /// </summary>
    public TimeSpan DueAt(long request)
    {
        // The rise takes twice as long as its requests, a third of those that are not counted, take at the full rate.
        var rising = Settling / 3.0;
        var atFullRate = request < rising ? 2 * Math.Sqrt(rising * request) : request + rising;
        return TimeSpan.FromTicks((long)(atFullRate * TimeSpan.TicksPerSecond / Rate));
    }

    /// <summary>The user that sends a request, and gets its reply: any, as likely as any other.</summary>
    public int UserOf(int request) => (int)((SplitMix64.At(Seed, (ulong)request) >> 32) * (ulong)Users >> 32);

    /// <summary>The provider that it is for, likewise.</summary>
    public int ProviderOf(int request) => (int)((SplitMix64.At(Seed, (ulong)request) & uint.MaxValue) * (ulong)Providers >> 32);

    /// <summary>What a provider subscribes to: a topic, because it has one subscriber, and nothing is kept once that has gone.</summary>
    public string ProviderTopic(int provider) => Invariant($"/topic/{Name}-p{provider:0000}");

    /// <summary>The topics of all providers, as frames have them.</summary>
    public byte[][] ProviderTopics() => [.. Enumerable.Range(0, Providers).Select(one => Encoding.ASCII.GetBytes(ProviderTopic(one)))];

    /// <summary>What a user subscribes to.</summary>
    public string UserTopic(int user) => Invariant($"/topic/{Name}-u{user:000000}");
}
