using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>A trial that has ended.</summary>
/// <param name="Row">Its row, without measures.</param>
/// <param name="Attempts">Classified; empty for a workload that counts them itself.</param>
/// <param name="Disturbance">Its faults; null: none.</param>
public sealed record TrialOutcome(
    Scenario Scenario, IterationRow Row, IReadOnlyList<Attempt> Attempts, IterationMeasurement Measured, IDisturbance? Disturbance);

/// <summary>Clients of one trial and what they send: all of them, or those of one of several load processes.</summary>
public interface IClientLoad
{
    IReadOnlyList<IParticipant> Participants { get; }

    /// <summary>Completes when everything expected has arrived or cannot arrive.</summary>
    Countdown Waiting { get; }

    LoadBounds Bounds { get; }

    /// <summary>The number of messages that are sent: 1 or more.</summary>
    long Sends { get; }

    /// <summary>When a message is due, after the first.</summary>
    /// <param name="send">From 0, in the order in which they are due.</param>
    TimeSpan DueAt(long send);

    /// <summary>Sends a message that is due, without waiting.</summary>
    /// <param name="send">From 0, each once and in order.</param>
    void Send(long send);
}

/// <summary>The load of one trial, as an <see cref="Iteration"/> drives it.</summary>
public interface ILoad : IClientLoad
{
    /// <summary>From <see cref="Begin"/> until the first message is due: time to tell it to other processes.</summary>
    TimeSpan Lead => TimeSpan.Zero;

    /// <summary>All participants have entered, and sending begins.</summary>
    /// <param name="firstDue">When the first message is due: a stamp of <see cref="System.Diagnostics.Stopwatch"/>.</param>
    void Begin(long firstDue)
    {
    }

    /// <summary>The observations, after all participants have left.</summary>
    /// <param name="start">The iteration's start, from which all times count: like <paramref name="firstDue"/> a Stopwatch stamp.</param>
    Observed Observe(long start, long firstDue);
}

/// <summary>The load of all trials of a round, which run at once.</summary>
public interface IRoundLoad : ILoad
{
    /// <summary>The observations of each trial, in their order.</summary>
    /// <inheritdoc cref="ILoad.Observe"/>
    IReadOnlyList<Observed> ObserveEach(long start, long firstDue);
}

/// <summary>Time and concurrency limits of a load.</summary>
/// <param name="Deadline">After the due time; later messages are late.</param>
/// <param name="ConnectsUnderWay">Clients that connect at the same time.</param>
/// <param name="Grace">
/// How long to keep listening after the deadline and the proof of the drain, if messages are missing: one that left the queue may still
/// arrive, and would be late, not lost.
/// </param>
public sealed record LoadBounds(TimeSpan Deadline, int ConnectsUnderWay, TimeSpan Grace)
{
    /// <summary>
    /// True: messages are sent within some 10 us of their moment, for a load of a few thousand a second or less that measures less than a
    /// millisecond. False: within 1 ms, which takes nothing from the receivers.
    /// </summary>
    public bool SendsExactly { get; init; }

    /// <summary>For what was sent to be answered, once nothing more is to be sent; the outcome of what is not stays unknown.</summary>
    public TimeSpan Stop { get; init; } = LoadClients.CloseTimeout;

    /// <summary>For all participants to leave; what is open after it is cut.</summary>
    public TimeSpan Leave { get; init; } = LoadClients.CloseTimeout;

    /// <summary>Less than a server's accept queue (512 in Kestrel), which then never overflows.</summary>
    public const int DefaultConnectsUnderWay = 256;

    public static TimeSpan DefaultGrace { get; } = TimeSpan.FromSeconds(1);

    /// <summary>For a client to connect, log in and subscribe.</summary>
    public static TimeSpan DefaultConnectTimeout { get; } = TimeSpan.FromSeconds(10);
}
