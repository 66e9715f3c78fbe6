using System.Diagnostics;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Load.Iterations;

/// <summary>Turns what the users kept into observations, when the load has ended: one thread, in the order of arrival.</summary>
public sealed class Findings
{
    private readonly Detector _detector;
    private readonly long _start;

    /// <param name="plan">The iteration.</param>
    /// <param name="users">Its users; all have ended.</param>
    /// <param name="startStamp">Of the iteration.</param>
    /// <param name="firstDue">From the iteration's start.</param>
    public Findings(IterationPlan plan, IReadOnlyList<User> users, long startStamp, TimeSpan firstDue)
    {
        _start = startStamp;
        _detector = new Detector([.. users.Select((_, i) =>
            new Intention(plan.MessageId(i), i, 0, i, firstDue + plan.Arrival.DueAt(i, users.Count)))]);
        for (var i = 0; i < users.Count; i++)
            Add(i, users[i]);
        Failures = users.Where(user => user.Failure is not null)
            .CountBy(user => $"{Kebab.Of(user.Failure!.Cause)}({user.Failure.Detail})").ToDictionary();
    }

    public IReadOnlyList<Observation> Observations => _detector.Observe();

    public Anomalies Anomalies => _detector.Anomalies;

    public long Acknowledged => _detector.Acknowledged;

    public IReadOnlyDictionary<string, int> Failures { get; }

    private void Add(int index, User user)
    {
        if (user.SentAt is { } sent)
            _detector.Sent(index, At(sent));
        if (user.ReceiptAt is { } receipt)
            _detector.Receipt(index, At(receipt), user.Taken);
        foreach (var arrived in user.Arrived)
            _detector.Received(arrived.MessageId, index, At(arrived.Stamp), arrived.Intact);
        if (user.Failure is { } failure)
            _detector.Failed(index, failure.Cause);
    }

    private TimeSpan At(long stamp) => Stopwatch.GetElapsedTime(_start, stamp);
}
