using System.Globalization;
using System.Text.Json.Nodes;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Commands;

/// <summary>
/// A committed record in which something was changed that can still be read: validate finds it without sums, by holding the files against
/// each other, or else by its sums.
/// </summary>
public sealed class TamperedRecordTests : TamperedCopy
{
    private static readonly Dictionary<string, Action<TamperedRecordTests>> Changes = new()
    {
        ["arms swapped"] = it => it.Rows(rows => Swap(rows, "arm")),
        // All that was measured changes its arm; what says who ran when stays.
        ["arms and order swapped"] = it => it.Rows(rows =>
            Swap(rows,
                [.. rows[0].Keys.Except(["arm", "users", "block", "iteration", "order", "warmUp", "superseded", "startUs"])])),
        ["a judged mean times 0.9"] = it => it.Rows(rows => Times(Judged(rows), 0.9, "sentMeanUs")),
        ["a judged mean and its restricted mean times 0.9"] = it =>
            it.Rows(rows => Times(Judged(rows), 0.9, "sentMeanUs", "sentRestrictedMeanUs")),
        ["bytes doubled"] = it =>
            it.Rows(rows => Times(Judged(rows), 2, "clientPayloadBytes", "clientStompBytes", "clientWebSocketBytes", "clientBytes")),
        ["total of bytes doubled"] = it => it.Rows(rows => Times(Judged(rows), 2, "clientBytes")),
        ["the slowest is a warm-up"] = it =>
            it.Rows(rows => rows.Where(row => row["arm"] == "pubsub" && row["users"] == "500" && row["warmUp"] == "false")
                .MaxBy(row => double.Parse(row["sentMeanUs"], CultureInfo.InvariantCulture))!["warmUp"] = "true"),
        ["two rows exchanged"] = it => it.Rows(rows => (rows[10], rows[12]) = (rows[12], rows[10])),
        ["histograms of two arms swapped"] = it => it.SwapTags("direct-500/", "pubsub-500/"),
        ["a deleted distribution"] = it =>
            it.Log(lines => lines.RemoveAll(line => line.StartsWith("Tag=pubsub-500/", StringComparison.Ordinal))),
        ["a distribution more"] = it => it.Log(lines => lines.Add(lines[^1].Replace("Tag=", "Tag=c-", StringComparison.Ordinal))),
        ["another seed"] = it => it.Run(run => run["scenario"]!["seed"] = 2016),
        ["other blocks"] = it => it.Run(run => run["scenario"]!["blocks"] = 6),
        ["a shorter deadline"] = it => it.Run(run => run["scenario"]!["deadline"] = "100ms"),
        ["a longer deadline"] = it => it.Run(run => run["scenario"]!["deadline"] = "20s"),
        ["another commit"] = it => it.Run(run => run["machine"]!["commit"] = new string('0', 40)),
        ["another prediction"] = it => it.Run(run =>
            run["prediction"] = JsonNode.Parse(
                run["prediction"]!.ToJsonString().Replace("loses", "keeps", StringComparison.Ordinal))),
        ["lost messages were never attempted"] = it =>
            it.Rows(rows => Less(rows.First(row => row["arm"] == "direct"), 49, "attempts", "lostAcknowledged", "causeServerClosed")),
        ["more acknowledged than there were"] = it => it.Rows(rows => rows.Last(row => row["arm"] == "direct")["acknowledged"] = "999999"),
        ["more connections than users"] = it => it.Rows(rows => Judged(rows)["connections"] = "2000000000"),
        ["more late sends than messages"] = it => it.Rows(rows => Judged(rows)["lateSends"] = "2000000000"),
        ["a start that no clock tells"] = it => it.Rows(rows => Judged(rows)["startUs"] = "9E+17"),
        ["a list with null"] = it => it.Run(run => run["setUp"]!["pinned"]!.AsArray().Add(null)),
        ["a name with null"] = it => it.Run(run => run["machine"]!["limits"]!["a"] = null),
        ["more rejections than tests"] = it =>
        {
            var floor = JsonNode.Parse(File.ReadAllText(RecordFiles.Noise(it.Folder)))!;
            floor["sources"]![0]!["found"]!["rejections"] = 60;
            File.WriteAllText(RecordFiles.Noise(it.Folder), floor.ToJsonString());
        },
        ["samples that are a folder"] = it => Directory.CreateDirectory(RecordFiles.Samples(it.Folder)),
        ["stats that lead nowhere"] = it => File.CreateSymbolicLink(RecordFiles.Stats(it.Folder), RecordFiles.Stats(it.Folder)),
        ["an end before the last row"] = it => it.Run(run => run["ended"] = run["started"]!.GetValue<DateTimeOffset>().AddMinutes(5)),
        ["a fault's moments are not told"] = it =>
            it.Events(lines => lines.RemoveAll(line => line.Contains("stop-server,direct,iteration 1: begins", StringComparison.Ordinal))),
        ["a fault's moments are those of another time"] = it =>
            it.Events(lines => lines[lines.FindIndex(line => line.Contains("iteration 2: begins", StringComparison.Ordinal))] =
                "1,fault-stop-server,direct,iteration 2: begins"),
        ["a fault's moment is not counted"] = it =>
        {
            var measures = File.ReadAllText(RecordFiles.Measures(it.Folder));
            File.WriteAllText(
                RecordFiles.Measures(it.Folder),
                measures.Replace("direct,1,faultActions,2\n", "direct,1,faultActions,1\n", StringComparison.Ordinal));
        },
        ["noise of another run"] = it =>
        {
            var noise = JsonNode.Parse(File.ReadAllText(RecordFiles.Noise(it.Folder)))!;
            noise["runStarted"] = "2026-11-21T21:14:36Z";
            File.WriteAllText(RecordFiles.Noise(it.Folder), noise.ToJsonString());
        },
    };

    [Theory]
    [InlineData("arms swapped", "stands where the plan of run.json has")]
    [InlineData("arms and order swapped", "begins before the row above it is over|has another mean than latency.hlog")]
    [InlineData("a judged mean times 0.9", "has another mean than latency.hlog|restricted mean from sent")]
    [InlineData("a judged mean and its restricted mean times 0.9", "has another mean than latency.hlog")]
    [InlineData("bytes doubled", "has more payload bytes to clients than all its messages")]
    [InlineData("total of bytes doubled", "has bytes to clients that are not the sum of their parts")]
    [InlineData("the slowest is a warm-up", "stands where the plan of run.json has")]
    [InlineData("two rows exchanged", "stands in place")]
    [InlineData("histograms of two arms swapped", "has another .+ than latency.hlog")]
    [InlineData("a deleted distribution", "latency.hlog has no line of pubsub-500/")]
    [InlineData("another seed", "run.json has another order of iterations")]
    [InlineData("other blocks", "run.json has another order of iterations")]
    [InlineData("a shorter deadline", "delivered in time after the deadline|cannot be")]
    [InlineData("noise of another run", "noise.json ")]
    [InlineData("an end before the last row", "ends after the run")]
    [InlineData("lost messages were never attempted", "has 15951 attempts, and its users have 16000 messages", "bad-network")]
    [InlineData("more acknowledged than there were", "more than were neither refused nor lost", "overload-restart")]
    [InlineData("more connections than users", "connections of 500 users")]
    [InlineData("more late sends than messages", "late sends of 500 attempts")]
    [InlineData("a start that no clock tells", "column startUs holds '9E\\+17', which is not a valid value")]
    [InlineData("a list with null", "run.json, setUp, pinned is null")]
    [InlineData("a name with null", "run.json, machine, limits, a is null")]
    [InlineData("more rejections than tests", "noise.json has 60 rejections of ")]
    [InlineData("samples that are a folder", "samples.csv.gz is a folder and must be a file")]
    [InlineData("stats that lead nowhere", "stats.jsonl cannot be read|There is no stats.jsonl")]
    [InlineData("a fault's moments are not told", "measures.csv has 6 fault actions in iteration 1, and events.csv 4", "restart-term")]
    [InlineData("a fault's moments are those of another time", "at a time that is not the iteration's", "restart-term")]
    [InlineData("a fault's moment is not counted", "measures.csv has 5 fault actions in iteration 1, and events.csv 6", "restart-term")]
    public async Task A_changed_record_is_found_without_sums(string what, string sentence, string run = CommittedRuns.Burst)
    {
        CommittedRuns.Copy(run, Folder);
        File.Delete(Path.Combine(Folder, Checksums.FileName));
        Changes[what](this);

        await AssertRefusedAsync(sentence);
    }

    [Theory]
    [InlineData("another commit")]
    [InlineData("a longer deadline")]
    [InlineData("another prediction")]
    [InlineData("a deleted distribution")]
    [InlineData("a distribution more")]
    [InlineData("arms swapped")]
    public async Task A_changed_record_is_found_by_the_sums(string what)
    {
        CommittedRuns.Copy(what == "another prediction" ? "overload-restart" : CommittedRuns.Burst, Folder);
        File.Delete(Path.Combine(Folder, Checksums.FileName));
        Checksums.Write(Folder);
        Changes[what](this);

        await AssertRefusedAsync("SHA256SUMS|latency.hlog has no line of pubsub-500/|run.json has|stands where");
    }

    [Fact]
    public async Task Any_byte_of_any_source_file_that_is_changed_is_found_by_the_sums()
    {
        CommittedRuns.Copy("queue-down", Folder);
        File.Delete(Path.Combine(Folder, Checksums.FileName));
        Checksums.Write(Folder);
        var random = new Random(7);
        foreach (var line in await File.ReadAllLinesAsync(Path.Combine(Folder, Checksums.FileName)))
        {
            var path = Path.Combine(Folder, line[66..]);
            var bytes = await File.ReadAllBytesAsync(path);
            var at = random.Next(bytes.Length);
            bytes[at] ^= 1;
            await File.WriteAllBytesAsync(path, bytes);

            Assert.ThrowsAny<RecordException>(() => Checksums.CheckAll(Folder));

            bytes[at] ^= 1;
            await File.WriteAllBytesAsync(path, bytes);
        }
        Assert.Equal(6, Checksums.CheckAll(Folder));
    }

    [Fact]
    public async Task A_report_is_refused_where_a_sum_does_not_hold_and_the_old_one_stays()
    {
        CommittedRuns.Copy("queue-down", Folder);
        Changes["another commit"](this);
        var before = await File.ReadAllTextAsync(Path.Combine(Folder, "report.md"));
        var terminal = new TestTerminal();

        Assert.Equal(5, await terminal.RunAsync("report", Folder));
        Assert.StartsWith("run.json is not what the run wrote, by SHA256SUMS", terminal.Error, StringComparison.Ordinal);
        Assert.Equal(before, await File.ReadAllTextAsync(Path.Combine(Folder, "report.md")));
    }
}
