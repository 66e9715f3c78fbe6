using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>Users that send messages to themselves, over one connection or as pairs of publisher and subscriber.</summary>
public sealed class OneWayLoad(IterationPlan plan, ServerGroup servers)
    : WholeLoad<OneWayClients>(new OneWayClients(plan, LoadShare.Whole, servers))
{
    public override Observed Observe(long start, long firstDue) =>
        OneWaySeen.Observe(plan, [.. Clients.Users.Select(user => (user.Log, user.Returns))], start, firstDue);
}

/// <summary>A user that sends messages to itself.</summary>
public interface IOneWayUser : IParticipant
{
    /// <summary>Complete once the user has left.</summary>
    ClientLog Log { get; }

    /// <summary>Its outages; complete once the user has left.</summary>
    Returns Returns { get; }

    /// <summary>Sends a message that is due, without waiting; no effect if the user is not connected.</summary>
    /// <param name="sequence">From 0, each once and in order.</param>
    void Send(int sequence);
}

/// <summary>Turns the client logs of users into observations after the load has ended, on one thread, in the order of arrival.</summary>
public sealed class ObservationBuilder
{
    private readonly Detector _detector;
    private readonly IterationPlan _plan;
    private readonly long _start;

    /// <param name="logs">One for each user, in order.</param>
    /// <param name="startStamp">The iteration's start, from which all times count.</param>
    /// <param name="firstDueStamp">The burst's start.</param>
    public ObservationBuilder(IReadOnlyList<ClientLog> logs, IterationPlan plan, long startStamp, long firstDueStamp)
    {
        _plan = plan;
        _start = startStamp;
        _detector = new Detector([.. logs.SelectMany((log, user) => log.Messages.Select((message, sequence) =>
            new Intention(message.Id, user, sequence, user, At(firstDueStamp) + plan.DueAt(user, sequence))))]);
        for (var user = 0; user < logs.Count; user++)
            Add(user, logs[user]);
        Failures = Observed.Count(
            logs.SelectMany(log => log.Messages.Select(message => message.Refusal).Append(log.Failure)), plan.Run);
    }

    public IReadOnlyList<Observation> Observations => _detector.Observe();

    public Anomalies Anomalies => _detector.Anomalies;

    public long Acknowledged => _detector.Acknowledged;

    /// <inheritdoc cref="Observed"/>
    public IReadOnlyDictionary<string, int> Failures { get; }

    private void Add(int user, ClientLog log)
    {
        for (var sequence = 0; sequence < log.Messages.Count; sequence++)
            Add((user * _plan.Messages) + sequence, log.Messages[sequence], log.Failure);
        foreach (var arrived in log.Arrived)
            _detector.Received(arrived.MessageId, user, At(arrived.Stamp), arrived.Intact);
    }

    private void Add(int index, OwnMessage message, ConnectFailure? ofConnection)
    {
        if (message.SentAt is { } sent)
            _detector.Sent(index, At(sent));
        if (message.ReceiptAt is { } receipt)
            _detector.Receipt(index, At(receipt), message.Taken);
        if ((message.Refusal ?? ofConnection) is { } failure)
            _detector.Failed(index, failure.Cause);
    }

    private TimeSpan At(long stamp) => Stopwatch.GetElapsedTime(_start, stamp);
}
