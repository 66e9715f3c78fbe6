using System.Runtime.InteropServices;

namespace PubSubOverWs.Record.Accounting;

/// <summary>
/// Compares intended messages with arrivals. Sends, receipts and arrivals may be reported from different threads: each fact about one
/// intention from one thread, and the arrivals of one recipient from one thread at a time. Read the results when all threads have ended.
/// </summary>
public sealed class Detector
{
    private readonly IReadOnlyList<Intention> _plan;
    private readonly Dictionary<(string MessageId, int Recipient), int> _index;
    private readonly Dictionary<int, Dictionary<int, int>> _latest = [];

    // One array for each fact: a message can arrive before its sender has recorded the send.
    private readonly TimeSpan?[] _sent;
    private readonly TimeSpan?[] _receipt;
    private readonly bool[] _taken;
    private readonly TimeSpan?[] _received;
    private readonly int[] _failure;
    private long _duplicates;
    private long _reorderings;
    private long _unexpected;
    private long _corrupted;

    /// <exception cref="ArgumentException">Two intentions have the same message id and recipient.</exception>
    public Detector(IReadOnlyList<Intention> plan)
    {
        _plan = plan;
        _index = new(plan.Count);
        _sent = new TimeSpan?[plan.Count];
        _receipt = new TimeSpan?[plan.Count];
        _taken = new bool[plan.Count];
        _received = new TimeSpan?[plan.Count];
        _failure = new int[plan.Count];
        for (var i = 0; i < plan.Count; i++)
        {
            _index.Add((plan[i].MessageId, plan[i].Recipient), i);
            CollectionsMarshal.GetValueRefOrAddDefault(_latest, plan[i].Recipient, out _) ??= [];
        }
    }

    public long Acknowledged => _taken.LongCount(taken => taken);

    public Anomalies Anomalies => new(
        Interlocked.Read(ref _duplicates),
        Interlocked.Read(ref _reorderings),
        Interlocked.Read(ref _unexpected),
        Interlocked.Read(ref _corrupted));

    /// <summary>One observation for each intention, in the order of the plan.</summary>
    public IReadOnlyList<Observation> Observe() => [.. _plan.Select((one, i) => new Observation(
        one.MessageId, one.Publisher, one.Recipient, one.Due, _sent[i], _receipt[i], _taken[i], _received[i], (Cause)_failure[i]))];

    public void Sent(int index, TimeSpan at) => _sent[index] = at;

    public void Receipt(int index, TimeSpan at, bool taken)
    {
        _receipt[index] = at;
        _taken[index] = taken;
    }

    /// <summary>Records a failure; the first cause stays.</summary>
    public void Failed(int index, Cause cause) => Interlocked.CompareExchange(ref _failure[index], (int)cause, (int)Cause.None);

    /// <param name="messageId">The id it carries; null when none could be read.</param>
    /// <param name="at">From the iteration's start.</param>
    /// <param name="intact">False: the payload differs from the one sent; it is counted as corrupted and delivers nothing.</param>
    /// <returns>True: the first intact copy of an intended message.</returns>
    public bool Received(string? messageId, int recipient, TimeSpan at, bool intact)
    {
        if (!intact)
            return Count(ref _corrupted);
        if (messageId is null || !_index.TryGetValue((messageId, recipient), out var index))
            return Count(ref _unexpected);
        if (_received[index] is not null)
            return Count(ref _duplicates);

        _received[index] = at;
        ref var latest = ref CollectionsMarshal.GetValueRefOrAddDefault(_latest[recipient], _plan[index].Publisher, out var known);
        if (known && _plan[index].Sequence < latest)
            Count(ref _reorderings);
        else
            latest = _plan[index].Sequence;
        return true;
    }

    private static bool Count(ref long counter)
    {
        Interlocked.Increment(ref counter);
        return false;
    }
}

/// <summary>One message for one recipient, known before anything is sent.</summary>
/// <param name="Sequence">Ascending over the messages of this publisher.</param>
/// <param name="Due">When it is to be sent, from the iteration's start.</param>
public readonly record struct Intention(string MessageId, int Publisher, int Sequence, int Recipient, TimeSpan Due);
