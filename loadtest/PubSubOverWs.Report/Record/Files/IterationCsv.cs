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
        ("drain", Kebab.Of(row.DrainState)),
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
