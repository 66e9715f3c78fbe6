namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary>The figures as lines of a terminal, of at most 100 columns, and as Markdown.</summary>
internal static class PeersText
{
    private const int ShortCommit = 8;
    private const string Changed = "-changed";

    /// <summary>What is about to be measured, and how long that takes.</summary>
    public static IEnumerable<string> Beginning(PeersReport report, TimeSpan estimate)
    {
        var plan = report.Plan;
        yield return Invariant(
            $"peers: {BenchText.Pairs(plan.Pairs)}, legs of {plan.Leg.TotalSeconds} s, about {Math.Ceiling(estimate.TotalMinutes)} min; ")
                + $"rows: {plan.Rows.Count}{(plan.Secure ? "; with TLS and a user" : "")}";
        yield return $"  {Machine(report)}";
        if (Versions(report) is { Length: > 0 } versions)
            yield return $"  beside {versions}";
        foreach (var peer in report.Servers.Where(server => server.Missing is not null))
            yield return $"  {peer.Name} is {peer.Missing}";
    }

    /// <summary>One leg, while it goes on.</summary>
    public static string Leg(int pair, string server, IReadOnlyList<(PeerRow Row, double Value)> values) => Invariant(
        $"  pair {pair,2}  {server,-18}")
            + string.Concat(values.Select(value => $"  {value.Row.Format(value.Value),9} {value.Row.Unit}")).TrimEnd();

    /// <summary>All servers of a row, with ratios of ours to each peer, and its goals.</summary>
    public static IEnumerable<string> Table(PeersReport report, RowFigures figures)
    {
        var row = PeerRow.Of(figures.Row);
        yield return $"{row.Title}{Unit(row)}; {(row.IsCost ? "less" : "more")} is better";
        yield return Invariant($"  {"server",-24}{"mean",12}   {"framework / it",-24}{"lean / it",-24}").TrimEnd();
        foreach (var cells in Cells(report, figures))
        {
            yield return cells.Missing is { } missing
                ? Invariant($"  {cells.Server,-24}{missing}")
                : Invariant($"  {cells.Server,-24}{cells.Mean,12}   {cells.Framework,-24}{cells.Lean,-24}").TrimEnd();
        }

        foreach (var goal in Goals(row, figures))
            yield return $"  goal: {goal}";
    }

    /// <summary>All rows in one table, with the date, the machine and the versions above it.</summary>
    public static IEnumerable<string> Markdown(PeersReport report)
    {
        var plan = report.Plan;
        var versions = Versions(report);
        yield return Invariant($"{report.Started:yyyy-MM-dd}, {Machine(report)}{(versions.Length > 0 ? "," : ":")}");
        if (versions.Length > 0)
            yield return $"beside {versions}:";
        yield return Invariant($"{BenchText.Pairs(plan.Pairs)} of {plan.Leg.TotalSeconds} s; {plan.Connections} connections with ")
            + Invariant($"{plan.Depth} messages of {plan.PayloadBytes} bytes under way on each;");
        yield return Invariant($"{plan.IdleConnections:N0} idle connections; {plan.Subscribers:N0} subscribers.")
            + (plan.Secure ? " With TLS, and with a user." : "");
        yield return "";
        yield return "| row | server | mean | framework / it | lean / it |";
        yield return "| --- | --- | ---: | --- | --- |";
        foreach (var figures in report.Rows)
        {
            var row = PeerRow.Of(figures.Row);
            var title = $"{row.Title}{Unit(row)}";
            foreach (var cells in Cells(report, figures))
            {
                yield return $"| {title} | {cells.Server} | {cells.Missing ?? cells.Mean} | {cells.Framework} | {cells.Lean} |";
                title = "";
            }
        }

        yield return "";
        foreach (var figures in report.Rows)
        {
            foreach (var goal in Goals(PeerRow.Of(figures.Row), figures))
                yield return $"- {PeerRow.Of(figures.Row).Title}: {goal}";
        }
    }

    /// <summary>Such as <c>0.95 (0.93 to 0.97)</c>.</summary>
    public static string Estimate(PeerEstimate? estimate, Func<double, string> format) => estimate switch
    {
        null => "",
        { Interval: { } interval } => $"{format(estimate.Value)} ({format(interval.Low)} to {format(interval.High)})",
        _ => format(estimate.Value),
    };

    private static IEnumerable<string> Goals(PeerRow row, RowFigures figures)
    {
        foreach (var goal in row.Goals)
        {
            if (goal.Estimate(figures) is not { } estimate)
                continue;
            var verdict = goal.Judge(estimate) switch { true => "met", false => "missed", null => "open" };
            var isRatio = goal.Peer is not null && goal.Kind != PeerGoalKind.MoreAtMost;
            yield return $"{goal.Text}: {Estimate(estimate, isRatio ? Ratio : row.Format)}, {verdict}";
        }
    }

    private static IEnumerable<(string Server, string Mean, string Framework, string Lean, string? Missing)> Cells(
        PeersReport report, RowFigures figures)
    {
        var row = PeerRow.Of(figures.Row);
        foreach (var name in PeerRow.Ours.Concat(row.Peers))
        {
            var server = report.Servers.First(one => one.Name == name);
            var values = figures.ValuesOf(name);
            var missing = server.Missing ?? figures.Failed.GetValueOrDefault(name);
            if (missing is null && values.Count == 0)
                continue;
            yield return (
                $"{name} {server.Version}".TrimEnd(), values.Count == 0 ? "" : row.Format(PeerEstimate.OfMean(values).Value),
                Over(PeerRow.Framework), Over(PeerRow.Lean), missing);

            string Over(string ours) => PeerRow.Ours.Contains(name)
                ? ""
                : figures.Pairs(ours, name) is { Count: > 0 } pairs ? Estimate(PeerEstimate.OfRatio(pairs), Ratio) : "";
        }
    }

    private static string Machine(PeersReport report) =>
        Invariant($"{report.Machine.Cpu}, {report.Machine.Cores} cores, {report.Machine.MemoryBytes / 1e9:N0} GB, ")
            + $"{report.Machine.Os}, {report.Machine.Runtime}, commit {Commit(report.Machine.Commit ?? "unknown")}";

    // The JSON has all of it.
    private static string Commit(string commit) =>
        commit.Length <= ShortCommit ? commit : commit[..ShortCommit] + (commit.EndsWith(Changed, StringComparison.Ordinal) ? Changed : "");

    private static string Versions(PeersReport report) => string.Join(
        ", ", report.Servers.Where(server => server.Version is not null).Select(server => $"{server.Name} {server.Version}"));

    private static string Unit(PeerRow row) => row.Unit.Length == 0 ? "" : $", {row.Unit}";

    private static string Ratio(double ratio) => Invariant($"{ratio:N2}");
}
