using System.Globalization;
using PubSubOverWs.LoadTest.Experiments.FanOut;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.Record.Files;

/// <summary>A record in which a flow was changed: the files do not fit each other, or cannot be read.</summary>
public sealed class FlowChecksTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    [Theory]
    [InlineData("arms swapped", "has another .+ than latency.hlog")]
    [InlineData("a mean times 0.99", "iteration \\d+, in flows.csv has (another mean than latency.hlog|a restricted mean)")]
    [InlineData("fewer attempts", "in flows.csv has 49 attempts, and its users have 50 messages")]
    [InlineData("a bucket more", "^flows.csv, line \\d+, does not add up: its buckets and causes must sum to its 50 attempts")]
    [InlineData("more late sends than attempts", "^flows.csv, line \\d+, does not add up: 51 late sends of 50 attempts")]
    [InlineData("more acknowledged than sent", "in flows.csv has 51 acknowledged messages")]
    [InlineData("a flow missing", "^flows.csv must have 'message' of \\w+, iteration \\d+, once")]
    [InlineData("a flow twice", "^flows.csv must have 'message' of \\w+, iteration \\d+, once")]
    public void A_changed_flow_is_named(string change, string named)
    {
        CommittedRuns.Copy(CommittedRuns.Burst, _folder.Path);
        File.Delete(_folder.Of(Checksums.FileName));
        var lines = File.ReadAllLines(RecordFiles.Flows(_folder.Path)).ToList();
        Change(change, lines);
        File.WriteAllText(RecordFiles.Flows(_folder.Path), string.Concat(lines.Select(line => line + "\n")));

        var refused = Assert.Throws<RecordException>(() => CrossChecks.Check(RecordReader.Read(_folder.Path)));

        Assert.Matches(named, refused.Message);
    }

    [Fact]
    public void A_fan_out_that_leaves_out_the_attempts_of_a_subscriber_is_named()
    {
        var scenario = new FanOutScenario
        { Name = "x", Arms = [Some.Arm("direct")], Subscribers = [10], Rates = [50], Iterations = 1, Blocks = 1, WarmUps = 0 };
        var row = Some.Row("direct", 10, block: 1, iteration: 1).Of(scenario) with
        { Level = scenario.Levels[0], Buckets = new Buckets { Attempts = 900, Delivered = 900 } };

        var refused = Assert.Throws<RecordException>(() => CrossChecks.Check(new RunFolder(Some.RunOf(scenario), [row], [])));

        Assert.Contains("has 900 attempts, and its users have 1000 messages", refused.Message, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    private static void Change(string what, List<string> lines)
    {
        var columns = lines[0].Split(',');
        // A measured iteration of 50 users: direct, then pubsub+single.
        var at = lines.FindIndex(line => line.StartsWith("direct,13,", StringComparison.Ordinal));
        switch (what)
        {
            case "arms swapped":
                (lines[at], lines[at + 1]) = (WithArm(lines[at], lines[at + 1]), WithArm(lines[at + 1], lines[at]));
                break;
            case "a mean times 0.99":
                Set("sentMeanUs", cell => Text(0.99 * double.Parse(cell, CultureInfo.InvariantCulture)));
                break;
            case "fewer attempts":
                Set("attempts", _ => "49");
                Set("delivered", _ => "49");
                break;
            case "a bucket more":
                Set("late", _ => "1");
                break;
            case "more late sends than attempts":
                Set("lateSends", _ => "51");
                break;
            case "more acknowledged than sent":
                Set("acknowledged", _ => "51");
                break;
            case "a flow missing":
                lines.RemoveAt(at);
                break;
            case "a flow twice":
                lines.Insert(at, lines[at]);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(what), what, "No such change.");
        }

        void Set(string column, Func<string, string> change)
        {
            var cells = lines[at].Split(',');
            cells[Array.IndexOf(columns, column)] = change(cells[Array.IndexOf(columns, column)]);
            lines[at] = string.Join(',', cells);
        }

        static string Text(double value) => value.ToString("R", CultureInfo.InvariantCulture);

        static string WithArm(string line, string other) =>
            other[..other.IndexOf(',', StringComparison.Ordinal)] + line[line.IndexOf(',', StringComparison.Ordinal)..];
    }
}
