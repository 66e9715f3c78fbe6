using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Results;

/// <summary>What a run found, for its end: the figures of each arm at each level, and what they mean.</summary>
/// <param name="Rows">Empty: nothing was measured.</param>
public sealed record RunSummary(IReadOnlyList<SummaryRow> Rows, string Meaning)
{
    private const int MaxContrasts = 3;

    public static RunSummary From(RunFolder folder)
    {
        var contrasts = MetricComparisons.Compute(folder, MessageMetrics.Latency).Contrasts;
        IReadOnlyList<SummaryRow> rows = [.. ArmLevel.Measured(folder).Select(one => Row(folder, one, contrasts))];
        var n = rows.Select(row => row.Iterations).DefaultIfEmpty(0).Min();
        var blocks = BlocksOf(folder);
        var isJudged = n >= Decision.LeastCount && blocks >= Comparison.LeastBlocks;
        var limit = !folder.Run.Complete ? "; the run is not complete, and this is what it measured so far"
            : isJudged ? ""
            : $"; with n = {Format.Whole(n)} in {Format.Count(blocks, "block")} differences are shown and not judged";
        return new(rows, Sentence(folder, rows, contrasts, limit)) { IsJudged = isJudged };
    }

    /// <summary>Iterations and blocks suffice for a verdict on a difference.</summary>
    public bool IsJudged { get; private init; }

    /// <summary>The rows as a table; empty where there are none.</summary>
    /// <param name="width">Columns of the terminal; null: any.</param>
    public string Table(int? width = null) => Rows.Count == 0 ? "" : TextTable.Write(Documents.Table.From(
        Rows,
        [
            .. Rows[0].Level.Settings.Select((setting, i) =>
                (setting.Factor.Name, (Func<SummaryRow, string>)(row => row.Level.Settings[i].Text))),
            ("arm", row => row.Arm),
            ("n", row => Format.Whole(row.Iterations)),
            ("loss %", row => Format.Short(row.Loss * 100)),
            ("mean ms", row => Format.Short(row.Mean)),
            ("p50", row => Format.Short(row.P50)),
            ("p99", row => Format.Short(row.P99)),
            ("ratio (95 %)", row => row.Ratio is null ? "" : $"{Format.Short(row.Ratio)} ({Format.Range(row.Ratio95, Format.Short)})"),
        ]), width);

    private static SummaryRow Row(RunFolder folder, ArmLevel one, IReadOnlyList<ContrastRows> contrasts)
    {
        var compared = contrasts.FirstOrDefault(contrast => contrast.Contrast.Second == one.Arm)?.Rows
            .Single(row => row.Level.Equals(one.Level));
        var readings = MetricReadings.Read(folder, one.Arm, one.Level, MessageMetrics.Latency);
        return new(one.Level, one.Arm, one.Rows.Count, one.Buckets.Lost, one.Buckets.Attempts)
        {
            Mean = readings.Count == 0 ? null : readings.Average(reading => reading.Value),
            P50 = CurveBuilder.PercentileOf(folder, one, 50),
            P99 = CurveBuilder.PercentileOf(folder, one, 99),
            Ratio = compared?.Ratio,
            Ratio95 = compared?.Judged.Ratio95,
        };
    }

    private static string Sentence(RunFolder folder, IReadOnlyList<SummaryRow> rows, IReadOnlyList<ContrastRows> contrasts, string limit)
    {
        if (rows.Count == 0)
            return "Nothing was measured.";
        if (!Validity.IsValid(folder))
            return "The run is invalid, and nothing may be concluded from it.";
        var said = $"{Losses(rows)}{string.Concat(contrasts.Take(MaxContrasts).Select(Ratios))}";
        return $"{char.ToUpperInvariant(said[0])}{said[1..]}{limit}.";
    }

    private static string Losses(IReadOnlyList<SummaryRow> rows)
    {
        var arms = rows.GroupBy(row => row.Arm).Select(arm => (Name: arm.Key, Share: ShareOf(arm))).ToArray();
        return arms.All(arm => arm.Share == 0)
            ? "nothing was lost"
            : string.Join(
                ", ", arms.Select(arm => $"{arm.Name} lost {(arm.Share == 0 ? "nothing" : $"{Format.Short(arm.Share * 100)} %")}"));
    }

    internal static double ShareOf(IEnumerable<SummaryRow> rows) =>
        (double)rows.Sum(row => row.Lost) / Math.Max(1, rows.Sum(row => row.Attempts));

    // Servers that the run did not start were never started afresh: all is one block.
    private static int BlocksOf(RunFolder folder) => !folder.Run.SetUp.OwnServers
        ? 1
        : folder.Rows.Where(row => row.Counts && row.Arm != Arm.Floor.Name).Select(row => row.Block).Distinct().Count();

    private static string Ratios(ContrastRows compared)
    {
        double[] ratios = [.. compared.Rows.Where(row => row.Ratio is not null).Select(row => row.Ratio!.Value)];
        return ratios.Length == 0
            ? ""
            : $", {compared.Contrast.Second}'s mean latency was {Format.Span(ratios, Format.Short)} times {compared.Contrast.First}'s";
    }
}

/// <summary>An arm at a level. Latencies in ms; null: there is none, or too few messages for it.</summary>
/// <param name="Iterations">Measured ones.</param>
/// <param name="Lost">Of <paramref name="Attempts"/>.</param>
public sealed record SummaryRow(Level Level, string Arm, int Iterations, long Lost, long Attempts)
{
    /// <summary>A share; null: nothing was attempted.</summary>
    public double? Loss => Attempts == 0 ? null : (double)Lost / Attempts;

    /// <summary>Of the iterations' means.</summary>
    public double? Mean { get; init; }

    /// <summary>Of all messages of the level.</summary>
    public double? P50 { get; init; }

    /// <inheritdoc cref="P50"/>
    public double? P99 { get; init; }

    /// <summary>Of mean latencies, to the arm that it is compared with; null: it is compared with none.</summary>
    public double? Ratio { get; init; }

    public Interval? Ratio95 { get; init; }
}
