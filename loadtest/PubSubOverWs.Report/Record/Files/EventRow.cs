namespace PubSubOverWs.Record.Files;

/// <summary>
/// One row of events.csv: a process started, stopped or died, users failed, a queue was not empty, a server did not tell its counts.
/// </summary>
/// <param name="At">From the start of the run.</param>
/// <param name="Kind">For example <c>started</c>, <c>stopped</c>, <c>died</c>, <c>failure</c>.</param>
/// <param name="Target">The process or the arm.</param>
/// <param name="Detail">For example the process id and the address, or an HTTP status and how often.</param>
public sealed record EventRow(TimeSpan At, string Kind, string Target, string Detail)
{
    /// <summary>What users of an iteration saw fail.</summary>
    public const string Failure = "failure";

    private static readonly string[] FaultActions = [.. Enum.GetValues<FaultActionKind>().Select(kind => $"fault-{Kebab.Of(kind)}")];

    /// <summary>A moment of the scenario's time line, which begins or is over: <c>fault-kill-server</c> and its like.</summary>
    [JsonIgnore]
    public bool IsFaultAction => FaultActions.Contains(Kind);

    /// <summary>True: part of the scenario's fault.</summary>
    [JsonIgnore]
    public bool IsOrdered => IsFaultAction || Kind == "fault-toxics";

    /// <summary>True: part of every run; reports show only the others.</summary>
    public bool IsRoutine => Kind is "started" or "stopped" or "queue-deleted";
}

internal static class EventCsv
{
    public static readonly IReadOnlyList<string> Header = ["atUs", "kind", "target", "detail"];

    public static string Line(EventRow row) => Csv.Line([Csv.Text(row.At), row.Kind, row.Target, row.Detail]);

    public static EventRow Parse(CsvRow row) => new(row.Time("atUs"), row.Text("kind"), row.Text("target"), row.Text("detail"));
}
