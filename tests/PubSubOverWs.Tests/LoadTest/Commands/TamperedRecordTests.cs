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
    [InlineData("lost messages were never attempted", "has 19951 attempts, and its users have 20000 messages", "bad-network")]
    [InlineData("more acknowledged than there were", "more than were neither refused nor lost", "overload-restart")]
    [InlineData("more connections than users", "connections of 500 users")]
    [InlineData("more late sends than messages", "late sends of 500 attempts")]
    [InlineData("a start that no clock tells", "column startUs holds '9E\\+17', which is not a valid value")]
    [InlineData("a list with null", "run.json, setUp, pinned is null")]
    [InlineData("a name with null", "run.json, machine, limits, a is null")]
    [InlineData("more rejections than tests", "noise.json has 60 rejections of ")]
    [InlineData("samples that are a folder", "samples.csv.gz is a folder and must be a file")]
    [InlineData("stats that lead nowhere", "stats.jsonl cannot be read|There is no stats.jsonl")]
    [InlineData("a fault's moments are not told", "measures.csv has 4 fault actions in iteration 1, and events.csv 2", "restart-term")]
    [InlineData("a fault's moments are those of another time", "at a time that is not the iteration's", "restart-term")]
    [InlineData("a fault's moment is not counted", "measures.csv has 3 fault actions in iteration 1, and events.csv 4", "restart-term")]
    public async Task A_changed_record_is_found_without_sums(string what, string sentence, string run = CommittedRuns.Burst)
    {
        CommittedRuns.Copy(run, Folder);
        File.Delete(Path.Combine(Folder, Checksums.FileName));
        Change(what);

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
        Change(what);

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
        Change("another commit");
        var before = await File.ReadAllTextAsync(Path.Combine(Folder, "report.md"));
        var terminal = new TestTerminal();

        Assert.Equal(5, await terminal.RunAsync("report", Folder));
        Assert.StartsWith("run.json is not what the run wrote, by SHA256SUMS", terminal.Error, StringComparison.Ordinal);
        Assert.Equal(before, await File.ReadAllTextAsync(Path.Combine(Folder, "report.md")));
    }

    private void Change(string what)
    {
        switch (what)
        {
            case "arms swapped":
                Rows(rows => Swap(rows, "arm"));
                break;
            case "arms and order swapped":
                // All that was measured changes its arm; what says who ran when stays.
                Rows(rows =>
                    Swap(rows,
                        [.. rows[0].Keys.Except(["arm", "users", "block", "iteration", "order", "warmUp", "superseded", "startUs"])]));
                break;
            case "a judged mean times 0.9":
                Rows(rows => Times(Judged(rows), 0.9, "sentMeanUs"));
                break;
            case "a judged mean and its restricted mean times 0.9":
                Rows(rows => Times(Judged(rows), 0.9, "sentMeanUs", "sentRestrictedMeanUs"));
                break;
            case "bytes doubled":
                Rows(rows => Times(Judged(rows), 2, "clientPayloadBytes", "clientStompBytes", "clientWebSocketBytes", "clientBytes"));
                break;
            case "total of bytes doubled":
                Rows(rows => Times(Judged(rows), 2, "clientBytes"));
                break;
            case "the slowest is a warm-up":
                Rows(rows => rows.Where(row => row["arm"] == "pubsub" && row["users"] == "500" && row["warmUp"] == "false")
                    .MaxBy(row => double.Parse(row["sentMeanUs"], CultureInfo.InvariantCulture))!["warmUp"] = "true");
                break;
            case "two rows exchanged":
                Rows(rows => (rows[10], rows[12]) = (rows[12], rows[10]));
                break;
            case "histograms of two arms swapped":
                SwapTags("direct-500/", "pubsub-500/");
                break;
            case "a deleted distribution":
                Log(lines => lines.RemoveAll(line => line.StartsWith("Tag=pubsub-500/", StringComparison.Ordinal)));
                break;
            case "a distribution more":
                Log(lines => lines.Add(lines[^1].Replace("Tag=", "Tag=c-", StringComparison.Ordinal)));
                break;
            case "another seed":
                Run(run => run["scenario"]!["seed"] = 2016);
                break;
            case "other blocks":
                Run(run => run["scenario"]!["blocks"] = 6);
                break;
            case "a shorter deadline":
                Run(run => run["scenario"]!["deadline"] = "100ms");
                break;
            case "a longer deadline":
                Run(run => run["scenario"]!["deadline"] = "20s");
                break;
            case "another commit":
                Run(run => run["machine"]!["commit"] = new string('0', 40));
                break;
            case "another prediction":
                Run(run =>
                    run["prediction"] = JsonNode.Parse(
                        run["prediction"]!.ToJsonString().Replace("loses", "keeps", StringComparison.Ordinal)));
                break;
            case "lost messages were never attempted":
                Rows(rows => Less(rows.First(row => row["arm"] == "direct"), 49, "attempts", "lostAcknowledged", "causeServerClosed"));
                break;
            case "more acknowledged than there were":
                Rows(rows => rows.Last(row => row["arm"] == "direct")["acknowledged"] = "999999");
                break;
            case "more connections than users":
                Rows(rows => Judged(rows)["connections"] = "2000000000");
                break;
            case "more late sends than messages":
                Rows(rows => Judged(rows)["lateSends"] = "2000000000");
                break;
            case "a start that no clock tells":
                Rows(rows => Judged(rows)["startUs"] = "9E+17");
                break;
            case "a list with null":
                Run(run => run["setUp"]!["pinned"]!.AsArray().Add(null));
                break;
            case "a name with null":
                Run(run => run["machine"]!["limits"]!["a"] = null);
                break;
            case "more rejections than tests":
                var floor = JsonNode.Parse(File.ReadAllText(RecordFiles.Noise(Folder)))!;
                floor["sources"]![0]!["found"]!["rejections"] = 60;
                File.WriteAllText(RecordFiles.Noise(Folder), floor.ToJsonString());
                break;
            case "samples that are a folder":
                Directory.CreateDirectory(RecordFiles.Samples(Folder));
                break;
            case "stats that lead nowhere":
                File.CreateSymbolicLink(RecordFiles.Stats(Folder), RecordFiles.Stats(Folder));
                break;
            case "an end before the last row":
                Run(run => run["ended"] = run["started"]!.GetValue<DateTimeOffset>().AddMinutes(5));
                break;
            case "a fault's moments are not told":
                Events(lines => lines.RemoveAll(line => line.Contains("stop-server,direct,iteration 1: begins", StringComparison.Ordinal)));
                break;
            case "a fault's moments are those of another time":
                Events(lines => lines[lines.FindIndex(line => line.Contains("iteration 2: begins", StringComparison.Ordinal))] =
                    "1,fault-stop-server,direct,iteration 2: begins");
                break;
            case "a fault's moment is not counted":
                var measures = File.ReadAllText(RecordFiles.Measures(Folder));
                File.WriteAllText(
                    RecordFiles.Measures(Folder),
                    measures.Replace("direct,1,faultActions,2\n", "direct,1,faultActions,1\n", StringComparison.Ordinal));
                break;
            case "noise of another run":
                var noise = JsonNode.Parse(File.ReadAllText(RecordFiles.Noise(Folder)))!;
                noise["runStarted"] = "2026-11-21T21:14:36Z";
                File.WriteAllText(RecordFiles.Noise(Folder), noise.ToJsonString());
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(what), what, "No such change.");
        }
    }
}
