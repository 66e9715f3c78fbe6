using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report;

/// <summary>
/// Several whole runs of one commit beside each other. Blocks of one run share its hour, its machine and what else ran there, so one run is
/// one draw: a published result is shown for each run, and as the range of all.
/// </summary>
public static class RunsTogether
{
    /// <summary>That a published result needs.</summary>
    public const int LeastRuns = 3;

    /// <summary>Between the starts of two runs.</summary>
    public static readonly TimeSpan LeastApart = TimeSpan.FromHours(1);

    /// <summary>As Markdown.</summary>
    /// <param name="runs">With the names of their folders, in any order.</param>
    /// <exception cref="RecordException">They are too few, or one is not whole, or they differ in what compare asks for or in their commit,
    /// or started too close to each other; says which and what to do.</exception>
    public static string Write(IReadOnlyList<(string Name, RunFolder Folder)> runs)
    {
        RecordException.ThrowUnless(
            runs.Count >= LeastRuns, $"--together needs {LeastRuns} runs or more, and {runs.Count} were named: name their folders.");
        (string Name, RunFolder Folder)[] ordered = [.. runs.OrderBy(run => run.Folder.Run.Started)];
        string[] obstacles = [.. Obstacles(ordered)];
        RecordException.ThrowUnless(
            obstacles.Length == 0,
            $"These runs are not draws of one result ({string.Join("; ", obstacles)}): make whole runs of one commit with the same "
                + $"settings, started at least {LeastApart.TotalMinutes:0} minutes apart.");
        var folders = ordered.Select(run => run.Folder).ToArray();
        return MarkdownText.Write(
        [
            new Heading(1, $"{folders[0].Run.Scenario.Name}: {folders.Length} runs of commit {folders[0].Run.Machine.Commit}"),
            Table.From(
                ordered.Select((run, i) => (Number: i + 1, run.Name, run.Folder.Run.Started)),
                ("run", row => Format.Whole(row.Number)),
                ("folder", row => row.Name),
                ("started", row => Format.Utc(row.Started))),
            new Heading(2, "Verdicts"),
            .. Verdicts(folders),
            .. Tables(folders),
        ]);
    }

    private static IEnumerable<string> Obstacles((string Name, RunFolder Folder)[] runs)
    {
        var first = runs[0];
        var commit = runs[0].Folder.Run.Machine.Commit;
        foreach (var obstacle in runs.SelectMany(run => Comparability.Unusable(run.Folder, run.Name)))
            yield return obstacle;
        if (commit is null)
            yield return $"the commit of {first.Name} is not known";
        foreach (var (name, folder) in runs)
        {
            if (folder.Run.Scenario is { Iterations: < Decision.LeastCount } or { Blocks: < Comparison.LeastBlocks })
                yield return $"{name} has fewer than {Decision.LeastCount} iterations or {Comparison.LeastBlocks} blocks";
            if (folder.Noise is null != first.Folder.Noise is null)
                yield return $"only one of {first.Name} and {name} has a noise floor";
        }
        foreach (var (name, folder) in runs.Skip(1))
        {
            if (folder.Run.Machine.Commit != commit)
                yield return $"commit: {commit} in {first.Name}, {folder.Run.Machine.Commit ?? "not known"} in {name}";
            foreach (var difference in Comparability.Differences(first.Folder.Run, folder.Run, first.Name, name))
                yield return difference;
        }
        foreach (var (earlier, later) in runs.Zip(runs.Skip(1)))
        {
            if (later.Folder.Run.Started - earlier.Folder.Run.Started is var apart && apart < LeastApart)
                yield return $"{later.Name} started {Math.Floor(apart.TotalMinutes)} minutes after {earlier.Name}";
        }
    }

    private static IEnumerable<Block> Verdicts(RunFolder[] runs)
    {
        var verdicts = runs.Select(run => AnalysisList.Verdicts(run).ToDictionary(one => one.Id)).ToArray();
        var shared = verdicts[0].Values.Where(one => verdicts.All(run => run.ContainsKey(one.Id))).ToArray();
        if (shared.Length == 0)
            return [new Paragraph("The experiment has no hypotheses and no claims.")];
        return
        [
            Table.From(
                shared,
                [
                    ("", one => one.Id),
                    .. Columns(runs, (run, i) => (Func<ReportVerdict, string>)(one => verdicts[i][one.Id].Word)),
                    ("in each", one => verdicts.All(run => run[one.Id].Word == one.Word) ? $"**{one.Word}**" : "not the same"),
                ]),
        ];
    }

    private static IEnumerable<Block> Tables(RunFolder[] runs)
    {
        var metrics = AnalysisList.For(runs[0].Run.Scenario).Metrics.Where(metric => metric.Primary).ToArray();
        foreach (var metric in metrics.Length > 0 ? metrics : [.. MessageMetrics.Compared.Where(metric => metric.Primary)])
        {
            var tables = runs.Select(run => MetricComparisons.Compute(run, metric)).ToArray();
            foreach (var contrast in tables[0].Contrasts.Select(one => one.Contrast))
            {
                var rows = tables.Select(table => table.Contrasts.Single(one => one.Contrast == contrast).Rows).ToArray();
                foreach (var block in Tables(runs, metric, contrast, rows))
                    yield return block;
            }
        }
    }

    // A share is shown by itself: its ratio is 0 or infinite where an arm has none.
    private static IEnumerable<Block> Tables(
        RunFolder[] runs, Metric metric, Contrast contrast, IReadOnlyList<Comparison>[] rows)
    {
        yield return new Heading(2, $"{metric.Name}, {(metric.IsCounted ? metric.Unit.Text : $"R = {contrast.Second}/{contrast.First}")}");
        (string, Func<int, string>)[] range =
            [("range", level => Format.Range(RangeOf([.. rows.Select(run => run[level].Judged.Ratio95)]), Format.Ratio))];
        yield return Table.From(
            Enumerable.Range(0, rows[0].Count),
            [
                ("level", level => rows[0][level].Level.Key),
                .. Columns(runs, (_, i) => (Func<int, string>)(level => metric.IsCounted
                    ? $"{contrast.First} {Format.Short(rows[i][level].First.Mean)}, "
                        + $"{contrast.Second} {Format.Short(rows[i][level].Second.Mean)}"
                    : WithInterval(rows[i][level]))),
                .. metric.IsCounted ? [] : range,
            ]);
        if (!metric.IsCounted)
            yield return new Paragraph(
                "R with its 95 % interval, by blocks from five on. The range is the smallest interval that holds all.");
    }

    /// <summary>The smallest interval that holds all of them; null: one has no end.</summary>
    public static Interval? RangeOf(IReadOnlyList<Interval?> intervals) => intervals.Contains(null)
        ? null
        : new Interval(intervals.Min(one => one!.Value.Low), intervals.Max(one => one!.Value.High));

    private static string WithInterval(Comparison row) => $"{Format.Ratio(row.Ratio)} ({Format.Range(row.Judged.Ratio95, Format.Ratio)})";

    private static IEnumerable<(string, Func<T, string>)> Columns<T>(RunFolder[] runs, Func<RunFolder, int, Func<T, string>> of) =>
        runs.Select((run, i) => ($"run {Format.Whole(i + 1)}", of(run, i)));
}
