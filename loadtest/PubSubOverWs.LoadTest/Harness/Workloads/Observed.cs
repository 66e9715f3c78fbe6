using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>The observations of the clients of one trial, before anything is concluded from them.</summary>
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

    /// <summary>Its clients that were connected when the first message was due. Null: all of the load are its clients.</summary>
    public int? Connected { get; init; }

    /// <summary>
    /// From the first due time until every client had its messages or had given up, by the clients' own clock. Null: they were waited for.
    /// </summary>
    public TimeSpan? ClientBurst { get; init; }

    /// <summary>
    /// Garbage collections of all processes that had its clients, while messages were sent and waited for. Null: this process had them.
    /// </summary>
    public int? ClientCollections { get; init; }

    /// <summary>Of load processes that do not have the clock of the run.</summary>
    public IReadOnlyList<(string Process, WorkerClock Clock)> Clocks { get; init; } = [];

    /// <summary>A latency may be between two of <see cref="Clocks"/>.</summary>
    public bool LatenciesCrossClocks { get; init; }

    /// <summary>The anomalies of all flows together.</summary>
    public Anomalies Anomalies => AnomaliesByFlow.Aggregate((sum, one) => sum.Add(one));

    /// <summary>Offline windows of clients, from the iteration's start.</summary>
    public IReadOnlyList<OfflineWindow> Windows { get; init; } = [];

    /// <summary>How often a message was published again for lack of an answer.</summary>
    public long Republished { get; init; }

    /// <summary>The measures of the experiment that clients observe, by name; null: no value.</summary>
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
