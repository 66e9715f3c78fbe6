using System.Diagnostics;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Scenarios;

namespace PubSubOverWs.LoadTest.Load.Iterations;

/// <summary>Turns the users' logbooks into observations, when the load has ended: one thread, in the order of arrival.</summary>
public sealed class Findings
{
    private readonly Detector _detector;
    private readonly long _start;

    /// <param name="logs">One for each user, in order.</param>
    /// <param name="arrival">When each was due.</param>
    /// <param name="startStamp">The iteration's start; all times count from it.</param>
    /// <param name="firstDueStamp">The burst's start.</param>
    public Findings(IReadOnlyList<Logbook> logs, Arrival arrival, long startStamp, long firstDueStamp)
    {
        _start = startStamp;
        _detector = new Detector([.. logs.Select((log, i) =>
            new Intention(log.MessageId, i, 0, i, At(firstDueStamp) + arrival.DueAt(i, logs.Count)))]);
        for (var i = 0; i < logs.Count; i++)
            Add(i, logs[i]);
        Failures = logs.Where(log => log.Failure is not null)
            .CountBy(log => $"{Kebab.Of(log.Failure!.Cause)}({log.Failure.Detail})").ToDictionary();
    }

    public IReadOnlyList<Observation> Observations => _detector.Observe();

    public Anomalies Anomalies => _detector.Anomalies;

    public long Acknowledged => _detector.Acknowledged;

    /// <summary>What went wrong, in words such as <c>handshake-rejected(503)</c>, and how often.</summary>
    public IReadOnlyDictionary<string, int> Failures { get; }

    private void Add(int index, Logbook log)
    {
        if (log.SentAt is { } sent)
            _detector.Sent(index, At(sent));
        if (log.ReceiptAt is { } receipt)
            _detector.Receipt(index, At(receipt), log.Taken);
        foreach (var arrived in log.Arrived)
            _detector.Received(arrived.MessageId, index, At(arrived.Stamp), arrived.Intact);
        if (log.Failure is { } failure)
            _detector.Failed(index, failure.Cause);
    }

    private TimeSpan At(long stamp) => Stopwatch.GetElapsedTime(_start, stamp);
}
