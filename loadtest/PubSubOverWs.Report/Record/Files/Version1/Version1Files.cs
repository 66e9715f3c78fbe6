
namespace PubSubOverWs.Record.Files.Version1;

/// <summary>
/// What files of version 1 of the record have otherwise than those of version 2. They are read into the same; nothing writes them. They
/// have no flows.csv, because there was one flow, whose columns are in iterations.csv, and faults.csv in place of measures.csv.
/// </summary>
internal static class Version1Files
{
    /// <summary>As run.json says it.</summary>
    public const int Number = 1;

    /// <summary>How a record names what has become flows.csv.</summary>
    public const string FlowFile = "iterations.csv";

    /// <summary>The columns of iterations.csv, in order.</summary>
    public static IReadOnlyList<string> Iterations(IReadOnlyList<Factor> factors) =>
    [
        "arm", .. factors.Select(factor => factor.Name), "block", "iteration", "order", "warmUp", "superseded", "startUs", "connectUs",
        "burstUs", "drainUs", "drain", "connections", "scheduleLagP99Us", "lateSends",
        "attempts", "acknowledged", "delivered", "late", "refused", "deadLettered", "stillQueued", "lostAcknowledged", "lostUnacknowledged",
        "causeConnectRefused", "causeConnectTimeout", "causeHandshakeRejected", "causeSendError", "causeShed", "causeNoSubscriber",
        "causeServerClosed", "causeDeadline", "duplicates", "reorderings", "unexpected", "corrupted",
        "droppedNoSubscriber", "droppedShed", "droppedClosed", "clientPayloadBytes", "clientStompBytes", "clientWebSocketBytes",
        "clientBytes", .. Queue("Calls"), "queueEmptyReceives", .. Queue("BytesOut"), "queueBytesIn",
        "serverCpuUs", "queueCpuUs", "loadCpuUs", "idleCpuUs", "collections", .. Latency("due"), .. Latency("sent"),
    ];

    /// <summary>Columns that records of version 1 did not have from the first day.</summary>
    public static readonly IReadOnlyList<string> Later = ["collections"];

    private static readonly string[] Calls = ["Send", "Receive", "Delete", "Visibility", "Other"];

    private static readonly string[] Moments = ["Count", "MeanUs", "SdUs", "RestrictedMeanUs", "P50Us", "P90Us", "P99Us", "MaxUs", "MinUs"];

    private static IEnumerable<string> Queue(string what) => Calls.Select(kind => $"queue{kind}{what}");

    private static IEnumerable<string> Latency(string from) => Moments.Select(what => from + what);
}

/// <summary>A line of faults.csv: the measures of a trial of the workload <c>pairs</c>.</summary>
/// <param name="Arm">With the iteration the key of its row in iterations.csv.</param>
/// <param name="Users">Of its level.</param>
/// <param name="Block">From 1.</param>
/// <param name="Iteration">From 1.</param>
/// <param name="Measures">By name.</param>
internal sealed record FaultLine(string Arm, int Users, int Block, int Iteration, IReadOnlyDictionary<string, double?> Measures)
{
    /// <summary>The columns, in order.</summary>
    public static IReadOnlyList<string> Header(IReadOnlyList<Measure> measures) =>
        ["arm", "users", "block", "iteration", .. measures.Select(Column)];

    public static FaultLine Parse(CsvRow row, IReadOnlyList<Measure> measures) => new(
        row.Text("arm"), row.Int("users"), row.Int("block"), row.Int("iteration"),
        measures.ToDictionary(measure => measure.Name, measure => row.OptionalDouble(Column(measure))));

    // The one measure that had another name.
    private static string Column(Measure measure) => measure == FaultMeasures.FaultActions ? "deeds" : measure.Name;
}
