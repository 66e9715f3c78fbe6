using System.Globalization;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Commands;

/// <summary>
/// A committed record in which times, events or what a run says of itself were changed so that every file is still in order:
/// without sums, validate finds it by what a run cannot have done.
/// </summary>
public sealed class TamperedRunTests : TamperedCopy
{
    private static readonly Dictionary<string, Action<TamperedRunTests>> Changes = new()
    {
        ["latencies of two arms swapped with their histograms"] = it =>
        {
            it.Rows(rows => Swap(rows, [.. rows[0].Keys.Where(IsLatency)]));
            it.SwapTags("direct-", "pubsub-");
        },
        ["bursts in milliseconds"] = it => it.Rows(rows => rows.ForEach(row => Times(row, 0.001, "burstUs"))),
        ["sent before it was due"] = it => it.Rows(rows => Times(
            Judged(rows), 0.5, "dueMeanUs", "dueSdUs", "dueMinUs", "dueMaxUs", "dueP50Us", "dueP90Us", "dueRestrictedMeanUs")),
        ["a server with more cores than there are"] = it => it.Rows(rows => Judged(rows)["serverCpuUs"] = "9000000"),
        ["a server that gave time back"] = it => it.Rows(rows => Judged(rows)["serverCpuUs"] = "-1"),
        ["an iteration that was measured once more"] = it =>
            it.Repeat(column => column.EndsWith("Us", StringComparison.Ordinal) && column != "startUs"),
        ["latencies that were measured once more"] = it => it.Repeat(IsLatency),
        ["a row that begins within another"] = it => it.Rows(rows =>
        {
            rows[5]["startUs"] = rows[4]["startUs"];
            More(rows[5], 1, "startUs");
        }),
        ["starts of a block that has no rows"] = it =>
            it.Events(lines => lines.AddRange(lines.Where(line => line.Contains(",started,", StringComparison.Ordinal)).TakeLast(4)
                .Select(line => lines[^1].Split(',')[0] + line[line.IndexOf(',', StringComparison.Ordinal)..]).ToArray())),
        ["a block that nothing was started for"] = it =>
            it.Events(lines => lines.Where(line => line.Contains(",started,", StringComparison.Ordinal)).Skip(4).Take(4).ToList()
                .ForEach(line => lines.Remove(line))),
        ["no starts"] = it => it.Events(lines => lines.RemoveAll(line => line.Contains(",started,", StringComparison.Ordinal))),
        ["an event of an iteration that has no row"] = it =>
            it.Events(lines => lines.Add($"{lines[^1].Split(',')[0]},failure,direct,iteration 9999: connect-refused x 1")),
        ["a server that died and was alive"] = it => it.Events(lines => lines.Add($"{lines[^1].Split(',')[0]},died,direct,exit code 139")),
        ["a server that died in a run that was stopped"] = it =>
        {
            it.Events(lines => lines.Add($"{lines[^1].Split(',')[0]},died,direct,exit code 139"));
            it.Run(run => run["complete"] = false);
        },
        ["resumed -5 times"] = it => it.Run(run => run["resumed"] = -5),
        ["a gate without a limit"] = it => it.Run(run => run["scenario"]!["gates"]!.AsArray().Add("direct.loss")),
        ["a queue that nobody watched"] = it => it.Run(run => run["checks"]!["queueAlive"] = null),
        ["latencies without a mean"] = it => it.Rows(rows => Judged(rows)["sentMeanUs"] = ""),
        ["sends without a lag"] = it => it.Rows(rows => Judged(rows)["scheduleLagP99Us"] = ""),
        ["no distributions"] = it => File.Delete(RecordFiles.Latency(it.Folder)),
    };

    [Theory]
    [InlineData("latencies of two arms swapped with their histograms", "has a latency from due of .* us, and its burst lasted")]
    [InlineData("bursts in milliseconds", "has a latency from due of .* us, and its burst lasted")]
    [InlineData("sent before it was due", "has longer latencies from sent than from due")]
    [InlineData("a server with more cores than there are", "has more CPU time than 2 cores give in its burst")]
    [InlineData("a server that gave time back", "has more CPU time than 2 cores give in its burst, or less than none")]
    [InlineData("an iteration that was measured once more", "repeats what was measured of direct, iteration")]
    [InlineData("latencies that were measured once more", "repeats what was measured of direct, iteration")]
    [InlineData("a row that begins within another", "begins before the row above it is over")]
    [InlineData("starts of a block that has no rows", "events.csv has 4 starts of processes that are of no block with rows")]
    [InlineData("a block that nothing was started for", "events.csv does not have the starts of all processes before block 2")]
    [InlineData("no starts", "events.csv does not have the starts of all processes before block 1")]
    [InlineData("an event of an iteration that has no row", "events.csv has 'failure' of direct in iteration 9999, which has no row")]
    [InlineData("a server that died and was alive", "events.csv says that direct died, and run.json that the run is complete")]
    [InlineData("a server that died in a run that was stopped", "events.csv says that direct died, and run.json that .* all lived")]
    [InlineData("resumed -5 times", "run.json has resumed -5, which is no count")]
    [InlineData("a gate without a limit", "run.json has a gate that cannot be judged: .*'direct.loss'")]
    [InlineData("a queue that nobody watched", "does not say whether the queue was alive")]
    [InlineData("latencies without a mean", "latencies from sent, and lacks a value of them")]
    [InlineData("sends without a lag", "has messages that were sent, and does not say how late")]
    [InlineData("no distributions", "There is no latency.hlog, which this run must have")]
    public async Task What_a_run_cannot_have_done_is_found_without_sums(string what, string sentence)
    {
        CommittedRuns.Copy(CommittedRuns.Burst, Folder);
        File.Delete(Path.Combine(Folder, Checksums.FileName));
        Changes[what](this);

        await AssertRefusedAsync(sentence);
    }

    private static bool IsLatency(string column) => column is not "dueCount" and not "sentCount"
        && (column.StartsWith("due", StringComparison.Ordinal) || column.StartsWith("sent", StringComparison.Ordinal));

    private static void More(Dictionary<string, string> row, double by, params string[] columns)
    {
        foreach (var column in columns.Where(column => row[column].Length > 0))
            row[column] = (double.Parse(row[column], CultureInfo.InvariantCulture) + by).ToString("R", CultureInfo.InvariantCulture);
    }

    // The quickest iteration of direct in place of a slower one: the row, and the line of its histogram.
    private void Repeat(Func<string, bool> isRepeated)
    {
        Rows(rows =>
        {
            var (quick, slow) = (At(rows).MinBy(Took)!, At(rows).MaxBy(Took)!);
            foreach (var column in quick.Keys.Where(isRepeated))
                slow[column] = quick[column];
            var (from, to) = ($"Tag=direct-500/{quick["iteration"]},", $"Tag=direct-500/{slow["iteration"]},");
            Log(lines => lines[lines.FindIndex(one => one.StartsWith(to, StringComparison.Ordinal))] =
                lines.Single(one => one.StartsWith(from, StringComparison.Ordinal)).Replace(from, to, StringComparison.Ordinal));
        });

        static IEnumerable<Dictionary<string, string>> At(IEnumerable<Dictionary<string, string>> rows) =>
            rows.Where(row => row["arm"] == "direct" && row["users"] == "500" && row["warmUp"] == "false");

        static double Took(Dictionary<string, string> row) => Of(row, "connectUs") + Of(row, "burstUs") + Of(row, "drainUs");

        static double Of(Dictionary<string, string> row, string column) => double.Parse(row[column], CultureInfo.InvariantCulture);
    }
}
