using System.Collections.Concurrent;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>
/// Counts the faults of one arm that were injected, where they were injected, and those that were not. Thread-safe: all users write to
/// it.
/// </summary>
public sealed class Ledger
{
    private readonly long[] _done = new long[Enum.GetValues<InjectedFault>().Length];
    private readonly ConcurrentDictionary<string, long> _notInjected = new();

    /// <summary>How often it was injected.</summary>
    public long this[InjectedFault action] => Interlocked.Read(ref _done[(int)action]);

    /// <summary>Faults of servers or load, in words, with counts.</summary>
    public IReadOnlyDictionary<string, long> NotInjected => _notInjected;

    public void Add(InjectedFault action) => Interlocked.Increment(ref _done[(int)action]);

    /// <param name="what">In few words, such as <c>never delivered</c>.</param>
    public void AddNotInjected(string what, long count = 1) => _notInjected.AddOrUpdate(what, count, (_, before) => before + count);

    /// <summary>The counts that the accounting must find if the server made no faults itself.</summary>
    /// <param name="attempts">The number of messages, each with a receipt.</param>
    public Account Expect(long attempts)
    {
        var shed = this[InjectedFault.Refuse];
        var late = this[InjectedFault.Delay];
        var acknowledged = this[InjectedFault.Lose] + this[InjectedFault.Corrupt];
        var unacknowledged = this[InjectedFault.LoseWithReceipt];
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

/// <summary>All counters of an iteration.</summary>
public sealed record Account(Buckets Buckets, Anomalies Anomalies)
{
    /// <summary>By their names in flows.csv.</summary>
    public IReadOnlyList<(string Name, long Count)> Counters =>
    [
        ("attempts", Buckets.Attempts),
        ("acknowledged", Buckets.Acknowledged),
        ("delivered", Buckets.Delivered),
        ("late", Buckets.Late),
        ("refused", Buckets.Refused),
        ("deadLettered", Buckets.DeadLettered),
        ("stillQueued", Buckets.StillQueued),
        ("lostAcknowledged", Buckets.LostAcknowledged),
        ("lostUnacknowledged", Buckets.LostUnacknowledged),
        .. Enum.GetValues<Cause>().Where(cause => cause != Cause.None).Select(cause => ($"cause{cause}", Buckets.Causes[cause])),
        ("duplicates", Anomalies.Duplicates),
        ("reorderings", Anomalies.Reorderings),
        ("unexpected", Anomalies.Unexpected),
        ("corrupted", Anomalies.Corrupted),
    ];

    /// <summary>Every message arrived once, in order, in time, intact, and with a receipt.</summary>
    public static Account Clean(long attempts) =>
        new(new Buckets { Attempts = attempts, Acknowledged = attempts, Delivered = attempts }, default);

    /// <summary>Of an iteration, by the accounting that every run uses.</summary>
    public static Account From(IterationMeasurement measured, TimeSpan deadline) => new(
        Accountant.Sum(Accountant.Classify(measured.Observations, deadline, measured.Drain.Remains), measured.Acknowledged),
        measured.Anomalies);
}
