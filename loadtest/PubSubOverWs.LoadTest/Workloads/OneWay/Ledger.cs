using System.Collections.Concurrent;
using PubSubOverWs.Experiment.Accounting;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>
/// The injected faults of one arm, as counted where they were injected, and what went wrong without injection. All users write
/// into it at once.
/// </summary>
public sealed class Ledger
{
    private readonly long[] _done = new long[Enum.GetValues<InjectedFault>().Length];
    private readonly ConcurrentDictionary<string, long> _ofOthers = new();

    /// <summary>How often it was done.</summary>
    public long this[InjectedFault action] => Interlocked.Read(ref _done[(int)action]);

    /// <summary>
    /// What went wrong without injection, in words, and how often; empty: nothing.
    /// </summary>
    public IReadOnlyDictionary<string, long> OfOthers => _ofOthers;

    public void Did(InjectedFault action) => Interlocked.Increment(ref _done[(int)action]);

    /// <summary>Something went wrong that was not injected.</summary>
    /// <param name="what">In few words, such as <c>never brought</c>.</param>
    /// <param name="count">How often.</param>
    public void NotOurs(string what, long count = 1) => _ofOthers.AddOrUpdate(what, count, (_, before) => before + count);

    /// <summary>What the accounting must find if the server did nothing of its own.</summary>
    /// <param name="attempts">All messages; each with a receipt.</param>
    public Account Expect(long attempts)
    {
        var (shed, late) = (this[InjectedFault.TurnAway], this[InjectedFault.Delay]);
        var (acknowledged, unacknowledged) = (this[InjectedFault.Lose] + this[InjectedFault.Corrupt], this[InjectedFault.LoseWithReceipt]);
        var buckets = new Buckets
        {
            Attempts = attempts,
            Acknowledged = attempts - this[InjectedFault.LoseReceipt] - unacknowledged - shed,
            Delivered = attempts - shed - late - acknowledged - unacknowledged,
            Late = late,
            Refused = shed,
            LostAcknowledged = acknowledged,
            LostUnacknowledged = unacknowledged,
            Causes = new CauseCounts(Shed: shed, Deadline: late + acknowledged + unacknowledged),
        };
        return new Account(
            buckets,
            new Anomalies(
                this[InjectedFault.Duplicate], this[InjectedFault.Swap], this[InjectedFault.Misdirect], this[InjectedFault.Corrupt]));
    }
}
