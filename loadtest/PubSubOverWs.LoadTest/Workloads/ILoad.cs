using System.Text.RegularExpressions;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Targets;

namespace PubSubOverWs.LoadTest.Workloads;

/// <summary>A workload: the clients of a trial, the messages that they send, and when.</summary>
public interface IWorkload
{
    /// <summary>What it does in one trial.</summary>
    /// <param name="scenario">Of the experiment that has this workload.</param>
    /// <param name="trial">Which arm, at which level.</param>
    /// <param name="run">
    /// Distinguishes this run's messages and destinations from those of any other; up to 16 characters of <c>[A-Za-z0-9]</c>.
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

    /// <summary>How many messages are sent: 1 or more.</summary>
    long Sends { get; }

    /// <summary>When a message is due, from the first due.</summary>
    /// <param name="send">From 0, in the order in which they are due.</param>
    TimeSpan DueAt(long send);

    /// <summary>A message is due. Never waits.</summary>
    /// <param name="send">From 0, each once and in order.</param>
    void Send(long send);

    /// <summary>The observations, once all participants have left.</summary>
    /// <param name="start">The iteration's start, from which all times count; both are stamps of Stopwatch.</param>
    /// <param name="firstDue">When the first message was due.</param>
    Observed Observe(long start, long firstDue);
}

/// <summary>How long a load waits, and for how many at a time.</summary>
/// <param name="Deadline">From due; what comes later is late.</param>
/// <param name="ConnectsUnderWay">How many are connecting at a time.</param>
/// <param name="Grace">
/// How much longer to listen after the deadline and the proof of the drain, when something is missing: a message that left the queue may
/// still be on its way, and late is not lost.
/// </param>
public sealed record LoadBounds(TimeSpan Deadline, int ConnectsUnderWay, TimeSpan Grace)
{
    /// <summary>Fewer than a server's accept queue (512 in Kestrel), so that none is turned away there.</summary>
    public const int DefaultConnectsUnderWay = 256;

    public static TimeSpan DefaultGrace { get; } = TimeSpan.FromSeconds(1);

    /// <summary>For a client to connect, log in and subscribe.</summary>
    public static TimeSpan DefaultConnectTimeout { get; } = TimeSpan.FromSeconds(10);
}

/// <summary>What the clients of one trial saw, before anything is concluded from it.</summary>
/// <param name="Observations">One for each message and recipient; times are from the iteration's start.</param>
/// <param name="Anomalies">Duplicates, reorderings, unexpected and corrupted messages.</param>
/// <param name="Acknowledged">Observations whose receipt said taken.</param>
/// <param name="Failures">What went wrong, in words such as <c>handshake-rejected(503)</c>, and how often.</param>
public record Observed(
    IReadOnlyList<Observation> Observations, Anomalies Anomalies, long Acknowledged, IReadOnlyDictionary<string, int> Failures)
{
    /// <summary>
    /// What a workload of very many attempts added up itself, one for each flow; it has no <see cref="Observations"/> then. Empty: they are
    /// added up from these.
    /// </summary>
    public IReadOnlyList<FlowAccount> Counted { get; init; } = [];

    /// <summary>The anomalies of each flow; all of them are of the only flow where there is one.</summary>
    public IReadOnlyList<Anomalies> AnomaliesByFlow { get; init; } = [Anomalies];

    /// <summary>When clients were away, from the iteration's start.</summary>
    public IReadOnlyList<OfflineWindow> Windows { get; init; } = [];

    /// <summary>How often a message was published again because it had no answer.</summary>
    public long Republished { get; init; }

    /// <summary>The measures of the experiment, by name; null: there is no such value.</summary>
    public IReadOnlyDictionary<string, double?> Measures { get; init; } = new Dictionary<string, double?>();

    /// <summary>Counts failures by their words. Ids in them are written as <c>ID</c>, so that equal failures count together.</summary>
    /// <param name="failures">Null entries are no failures.</param>
    /// <param name="run">What the ids begin with, before a dash.</param>
    public static Dictionary<string, int> Count(IEnumerable<ConnectFailure?> failures, string run)
    {
        var ids = new Regex(Regex.Escape(run) + @"-[\w-]*");
        return failures.OfType<ConnectFailure>()
            .CountBy(failure => $"{failure with { Detail = ids.Replace(failure.Detail, "ID") }}").ToDictionary();
    }
}
