using System.Text.RegularExpressions;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Targets;

namespace PubSubOverWs.LoadTest.Workloads;

/// <summary>A workload: the clients of a trial, the messages that they send, and when.</summary>
public interface IWorkload
{
    /// <summary>The load of one trial.</summary>
    /// <param name="scenario">Of the experiment that has this workload.</param>
    /// <param name="run">
    /// Distinguishes this run's messages and destinations from those of other runs: up to 16 characters of <c>[A-Za-z0-9]</c>.
    /// </param>
    /// <param name="servers">Where clients connect.</param>
    ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers);
}

/// <summary>The clients of one trial and what they send, as an <see cref="Iteration"/> drives them.</summary>
public interface ILoad
{
    IReadOnlyList<IParticipant> Participants { get; }

    /// <summary>Completes when everything expected has arrived or cannot arrive.</summary>
    Countdown Waiting { get; }

    LoadBounds Bounds { get; }

    /// <summary>
    /// True: messages are sent within some 10 us of their moment, for a load of a few thousand a second or less that measures less than a
    /// millisecond. False: within 1 ms, which takes nothing from the receivers.
    /// </summary>
    bool IsExact => false;

    /// <summary>The number of messages that are sent: 1 or more.</summary>
    long Sends { get; }

    /// <summary>When a message is due, after the first.</summary>
    /// <param name="send">From 0, in the order in which they are due.</param>
    TimeSpan DueAt(long send);

    /// <summary>Sends a message that is due, without waiting.</summary>
    /// <param name="send">From 0, each once and in order.</param>
    void Send(long send);

    /// <summary>The observations, after all participants have left.</summary>
    /// <param name="start">The iteration's start, from which all times count: like <paramref name="firstDue"/> a Stopwatch stamp.</param>
    Observed Observe(long start, long firstDue);
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
    /// <summary>Less than a server's accept queue (512 in Kestrel), which then never overflows.</summary>
    public const int DefaultConnectsUnderWay = 256;

    public static TimeSpan DefaultGrace { get; } = TimeSpan.FromSeconds(1);

    /// <summary>For a client to connect, log in and subscribe.</summary>
    public static TimeSpan DefaultConnectTimeout { get; } = TimeSpan.FromSeconds(10);
}

/// <summary>What the clients of one trial saw, before anything is concluded from it.</summary>
/// <param name="Observations">One for each message and recipient; times are from the iteration's start.</param>
/// <param name="AnomaliesByFlow">The anomalies of each flow: one or more.</param>
/// <param name="Acknowledged">Observations with a receipt that says taken.</param>
/// <param name="Failures">Counts by description, such as <c>handshake-rejected(503)</c>.</param>
public record Observed(
    IReadOnlyList<Observation> Observations, IReadOnlyList<Anomalies> AnomaliesByFlow, long Acknowledged,
    IReadOnlyDictionary<string, int> Failures)
{
    /// <summary>
    /// One for each flow of a workload with too many attempts to keep, which then has no <see cref="Observations"/>. Empty: the accounting
    /// adds them up from these.
    /// </summary>
    public IReadOnlyList<FlowAccount> Counted { get; init; } = [];

    /// <summary>The anomalies of all flows together.</summary>
    public Anomalies Anomalies => AnomaliesByFlow.Aggregate((sum, one) => sum.Add(one));

    /// <summary>Offline windows of clients, from the iteration's start.</summary>
    public IReadOnlyList<OfflineWindow> Windows { get; init; } = [];

    /// <summary>How often a message was published again for lack of an answer.</summary>
    public long Republished { get; init; }

    /// <summary>The measures of the experiment, by name; null: no value.</summary>
    public IReadOnlyDictionary<string, double?> Measures { get; init; } = new Dictionary<string, double?>();

    /// <summary>Counts failures by description. Ids in them are written as <c>ID</c>, so that equal failures count together.</summary>
    /// <param name="failures">Null entries are ignored.</param>
    /// <param name="run">The first part of the ids, before a dash.</param>
    public static Dictionary<string, int> Count(IEnumerable<ConnectFailure?> failures, string run)
    {
        var ids = new Regex(Regex.Escape(run) + @"-[\w-]*");
        return failures.OfType<ConnectFailure>()
            .CountBy(failure => $"{failure with { Detail = ids.Replace(failure.Detail, "ID") }}").ToDictionary();
    }
}
