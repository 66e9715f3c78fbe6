using PubSubOverWs.Record.Accounting;
using static PubSubOverWs.Record.Formats.Csv;

namespace PubSubOverWs.Record.Files;

/// <summary>iterations.csv: every column of a row, written and read by name.</summary>
internal static class IterationCsv
{
    private static readonly IterationRow Empty = new()
    {
        Arm = "",
        Level = new Level([]),
        Block = 0,
        Iteration = 0,
        Order = 0,
        Start = default,
        Connect = default,
        Burst = default,
        Drain = default,
        DrainState = default,
        Connections = 0,
    };

    public static string Line(IterationRow row) => Csv.Line(Cells(row).Select(cell => cell.Text));

    /// <summary>The columns, in order: each factor has its own.</summary>
    public static IReadOnlyList<string> Header(IReadOnlyList<Factor> factors) =>
        [.. Cells(Empty with { Level = new Level([.. factors.Select(factor => new Setting(factor, 0))]) }).Select(cell => cell.Column)];

    public static IterationRow Parse(CsvRow row, IReadOnlyList<Factor> factors) => new()
    {
        Arm = row.Text("arm"),
        Level = new Level([.. factors.Select(factor => row.Value(factor.Name, factor.Find))]),
        Block = row.Int("block"),
        Iteration = row.Int("iteration"),
        Order = row.Int("order"),
        WarmUp = row.Truth("warmUp"),
        Superseded = row.Truth("superseded"),
        Start = row.Time("startUs"),
        Connect = row.Duration("connectUs"),
        Burst = row.Duration("burstUs"),
        Drain = row.Duration("drainUs"),
        DrainState = row.Named<DrainState>("drain"),
        Connections = row.Int("connections"),
        Drops = row.IsEmpty("droppedNoSubscriber", "droppedShed", "droppedClosed")
            ? null
            : new ServerDrops(row.Long("droppedNoSubscriber"), row.Long("droppedShed"), row.Long("droppedClosed")),
        ClientBytes = row.IsEmpty("clientPayloadBytes", "clientStompBytes", "clientWebSocketBytes", "clientBytes")
            ? null
            : new ClientBytes(
                row.Long("clientPayloadBytes"), row.Long("clientStompBytes"), row.Long("clientWebSocketBytes"), row.Long("clientBytes")),
        Queue = TrafficCsv.Parse(row),
        Cpu = new(row.OptionalTime("serverCpuUs"), row.OptionalTime("queueCpuUs"), row.OptionalTime("loadCpuUs"),
            row.OptionalTime("idleCpuUs")),
        Collections = row.Int("collections"),
    };

    private static IEnumerable<(string Column, string Text)> Cells(IterationRow row) =>
    [
        .. Place(row), .. Counted(row), .. TrafficCsv.Cells(row.Queue), .. Cpu(row.Cpu), ("collections", Text(row.Collections)),
    ];

    private static IEnumerable<(string Column, string Text)> Place(IterationRow row) =>
    [
        ("arm", row.Arm),
        .. row.Level.Settings.Select(setting => (setting.Factor.Name, setting.Text)),
        ("block", Text(row.Block)),
        ("iteration", Text(row.Iteration)),
        ("order", Text(row.Order)),
        ("warmUp", Text(row.WarmUp)),
        ("superseded", Text(row.Superseded)),
        ("startUs", Text(row.Start)),
        ("connectUs", Text(row.Connect)),
        ("burstUs", Text(row.Burst)),
        ("drainUs", Text(row.Drain)),
        ("drain", Kebab.Text(row.DrainState)),
        ("connections", Text(row.Connections)),
    ];

    private static IEnumerable<(string Column, string Text)> Counted(IterationRow row) =>
    [
        ("droppedNoSubscriber", Text(row.Drops?.NoSubscriber)),
        ("droppedShed", Text(row.Drops?.Shed)),
        ("droppedClosed", Text(row.Drops?.Closed)),
        ("clientPayloadBytes", Text(row.ClientBytes?.Payload)),
        ("clientStompBytes", Text(row.ClientBytes?.Stomp)),
        ("clientWebSocketBytes", Text(row.ClientBytes?.WebSocket)),
        ("clientBytes", Text(row.ClientBytes?.Total)),
    ];

    private static IEnumerable<(string Column, string Text)> Cpu(CpuTimes cpu) =>
    [
        ("serverCpuUs", Text(cpu.Server)),
        ("queueCpuUs", Text(cpu.Queue)),
        ("loadCpuUs", Text(cpu.Load)),
        ("idleCpuUs", Text(cpu.Idle)),
    ];
}

/// <summary>measures.csv: what each trial leaves of the measures of its experiment, a line each.</summary>
internal static class MeasureCsv
{
    public static readonly IReadOnlyList<string> Header = ["arm", "iteration", "measure", "value"];

    /// <exception cref="ArgumentException">The row lacks a measure, or has one that the experiment does not declare.</exception>
    public static IEnumerable<string> Lines(IterationRow row, IReadOnlyList<Measure> measures)
    {
        if (!row.Measures.Keys.ToHashSet().SetEquals(measures.Select(measure => measure.Name)))
            throw new ArgumentException(
                $"{row.Arm}, iteration {row.Iteration}, has other measures than its experiment: {string.Join(", ", row.Measures.Keys)}.",
                nameof(row));
        return measures.Select(measure =>
            Csv.Line([row.Arm, Text(row.Iteration), measure.Name, Text(row.Measures[measure.Name])]));
    }

    /// <summary>The measures of every row of iterations.csv; a line without a row is what a kill left, and counts nowhere.</summary>
    /// <exception cref="RecordException">A measure of a row is missing or there twice, or is none of the experiment.</exception>
    public static IReadOnlyList<IterationRow> Into(
        IReadOnlyList<IterationRow> rows, IReadOnlyList<Line> lines, IReadOnlyList<Measure> measures)
    {
        if (lines.FirstOrDefault(line => measures.All(measure => measure.Name != line.Measure)) is { } unknown)
            throw new RecordException(
                $"measures.csv has '{unknown.Measure}', which is no measure of the experiment: {RecordException.Mend}.");
        var written = lines.ToLookup(line => (line.Arm, line.Iteration));
        return [.. rows.Select(row => row with { Measures = From(row, [.. written[(row.Arm, row.Iteration)]], measures) })];
    }

    public static Line Parse(CsvRow row) =>
        new(row.Text("arm"), row.Int("iteration"), row.Text("measure"), row.OptionalDouble("value"));

    private static Dictionary<string, double?> From(IterationRow row, Line[] lines, IReadOnlyList<Measure> measures) =>
        measures.ToDictionary(measure => measure.Name, measure => lines.Where(line => line.Measure == measure.Name).ToArray() is [var one]
            ? one.Value
            : throw new RecordException(
                $"measures.csv must have '{measure.Name}' of {row.Arm}, iteration {row.Iteration}, once: {RecordException.Mend}."));

    /// <param name="Arm">With the iteration the key of its row in iterations.csv.</param>
    /// <param name="Iteration">From 1.</param>
    /// <param name="Value">Null: the trial has none.</param>
    public sealed record Line(string Arm, int Iteration, string Measure, double? Value);
}

/// <summary>A column for each bucket and each cause, named after it.</summary>
internal static class BucketCsv
{
    public static IEnumerable<(string Column, string Text)> Cells(Buckets buckets) =>
    [
        ("attempts", Text(buckets.Attempts)),
        ("acknowledged", Text(buckets.Acknowledged)),
        .. Enum.GetValues<Outcome>().Select(outcome => (Column(outcome), Text(buckets[outcome]))),
        .. Enum.GetValues<Cause>().Where(cause => cause != Cause.None).Select(cause => (Column(cause), Text(buckets.Causes[cause]))),
    ];

    public static Buckets Parse(CsvRow row) => Buckets.From(
        row.Count("attempts"), row.Count("acknowledged"), outcome => row.Count(Column(outcome)),
        CauseCounts.From(cause => row.Count(Column(cause))));

    private static string Column(Outcome outcome) => JsonNamingPolicy.CamelCase.ConvertName(outcome.ToString());

    private static string Column(Cause cause) => $"cause{cause}";
}

internal static class LatencyCsv
{
    public static IEnumerable<(string Column, string Text)> Cells(LatencySummary summary, string from) =>
    [
        ($"{from}Count", Text(summary.Count)),
        ($"{from}MeanUs", Text(summary.Mean)),
        ($"{from}SdUs", Text(summary.StandardDeviation)),
        ($"{from}RestrictedMeanUs", Text(summary.RestrictedMean)),
        ($"{from}P50Us", Text(summary.P50)),
        ($"{from}P90Us", Text(summary.P90)),
        ($"{from}P99Us", Text(summary.P99)),
        ($"{from}MaxUs", Text(summary.Max)),
        ($"{from}MinUs", Text(summary.Min)),
    ];

    public static LatencySummary Parse(CsvRow row, string from) => new()
    {
        Count = row.Count($"{from}Count"),
        Mean = row.OptionalDouble($"{from}MeanUs"),
        StandardDeviation = row.OptionalDouble($"{from}SdUs"),
        RestrictedMean = row.OptionalDouble($"{from}RestrictedMeanUs"),
        P50 = row.OptionalDouble($"{from}P50Us"),
        P90 = row.OptionalDouble($"{from}P90Us"),
        P99 = row.OptionalDouble($"{from}P99Us"),
        Max = row.OptionalDouble($"{from}MaxUs"),
        Min = row.OptionalDouble($"{from}MinUs"),
    };
}

internal static class TrafficCsv
{
    private static readonly string[] Columns = [.. Cells(null).Select(cell => cell.Column)];

    public static IEnumerable<(string Column, string Text)> Cells(QueueTraffic? traffic) =>
    [
        .. Kinds(traffic?.Calls, "Calls"),
        ("queueEmptyReceives", Text(traffic?.EmptyReceives)),
        .. Kinds(traffic?.BytesOut, "BytesOut"),
        ("queueBytesIn", Text(traffic?.BytesIn)),
    ];

    public static QueueTraffic? Parse(CsvRow row) => row.IsEmpty(Columns)
        ? null
        : new QueueTraffic(Kinds(row, "Calls"), row.Long("queueEmptyReceives"), Kinds(row, "BytesOut"), row.Long("queueBytesIn"));

    private static IEnumerable<(string Column, string Text)> Kinds(QueueCounts? counts, string what) =>
    [
        ($"queueSend{what}", Text(counts?.Send)),
        ($"queueReceive{what}", Text(counts?.Receive)),
        ($"queueDelete{what}", Text(counts?.Delete)),
        ($"queueVisibility{what}", Text(counts?.ChangeVisibility)),
        ($"queueOther{what}", Text(counts?.Other)),
    ];

    private static QueueCounts Kinds(CsvRow row, string what) => new(
        row.Long($"queueSend{what}"),
        row.Long($"queueReceive{what}"),
        row.Long($"queueDelete{what}"),
        row.Long($"queueVisibility{what}"),
        row.Long($"queueOther{what}"));
}
