using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Repository;

/// <summary>
/// The figures of the README's answer, computed from the rows of the committed records by this class alone: no report and no analysis.
/// Tables are held by <see cref="PageTableTests"/>.
/// </summary>
public sealed class HeadlineTests
{
    // Where a subscriber or the server goes away.
    private static readonly string[] Absences = ["restart", "restart-term", "churn", "bad-network", "overload-restart"];

    private static readonly RunFolder Burst = Linked("burst");
    private static readonly RunFolder Spread = Linked("spread");
    private static readonly RunFolder Distant = Runs("paper", "*-aws").Single();
    private static readonly ILookup<string, RunFolder> Faults =
        Runs("faults", "*").ToLookup(run => run.Run.Scenario.OneWay().Fault.Profile);

    [Fact]
    public void Losses_where_nothing_breaks_are_those_of_both_full_runs()
    {
        var (direct, pubsub) = (Sum(Relays.Direct, Burst, Spread), Sum(Relays.PubSub, Burst, Spread));
        Assert.Equal((0L, 0L, direct.Attempts), (direct.Lost, pubsub.Lost, pubsub.Attempts));
        Assert.Equal(Levels(Burst), Levels(Spread));
        var published = PublishedPaper.Load().Loss[^1];

        Says("README.md", $"0 of {direct.Attempts:N0} per arm, at {Levels(Burst)[0]:N0} to {Levels(Burst)[^1]:N0} users.");
        Says("README.md", $"({published.Direct.Loss:0.00} % at {published.Users:N0})");
        Says("docs/results.md", $"Neither server lost one of {direct.Attempts:N0} messages per arm.");
    }

    [Fact]
    public void Losses_where_a_subscriber_or_the_server_goes_away_are_those_of_the_runs_under_such_faults()
    {
        Assert.All(Absences, fault => Assert.NotEmpty(Faults[fault]));
        var losses = Absences.SelectMany(fault => Faults[fault]).Select(run => Loss(Relays.Direct, run)).ToArray();

        Says("README.md", $"the queue saves what the direct server loses: {losses.Min():0} to {losses.Max():0} % of all messages.");
        Assert.All(Absences.SelectMany(fault => Faults[fault]), run => Assert.InRange(Loss(Relays.PubSub, run), 0, 0.005));
    }

    [Fact]
    public void Pubsub_lost_no_acknowledged_message_and_slow_subscribers_gain_nothing()
    {
        Assert.All(Faults.SelectMany(runs => runs), run => Assert.Equal(0, Sum(Relays.PubSub, run).LostAcknowledged));
        var slow = Assert.Single(Faults["slow-consumer"]);
        Assert.Equal(Loss(Relays.Direct, slow), Loss(Relays.PubSub, slow), 0.005);

        Says("README.md", $"Slow subscribers gain nothing.");
    }

    [Fact]
    public void A_buffer_in_memory_loses_only_where_the_server_dies_while_messages_wait()
    {
        var buffered = Faults.SelectMany(runs => runs).Where(run => run.Rows.Any(row => row.Arm == Relays.Buffered))
            .ToLookup(run => run.Run.Scenario.OneWay().Fault.Profile == "overload-restart");
        Assert.All(buffered[false], run => Assert.InRange(Loss(Relays.Buffered, run), 0, 0.005));
        var lost = Sum(Relays.Buffered, Assert.Single(buffered[true]));

        Says("README.md", $"[{lost.GuaranteeLoss * 100:0} % of its acknowledged messages](");
        Says("docs/results.md", $"the buffer lost {lost.LostAcknowledged:N0} of the {lost.Acknowledged:N0} messages");
    }

    [Fact]
    public void Ratios_of_latency_are_those_of_the_means_of_iterations()
    {
        var (burst, spread) = (Ratios(Burst, Latency), Ratios(Spread, Latency));
        Assert.True(spread.Min() < burst.Min() && spread.Max() < burst.Max());
        var published = PublishedPaper.Load().Latency;
        var claimed = published.Where(row => row.Users >= 500).Select(row => (row.Ratio - 1) * 100).ToArray();

        var distant = Ratios(Distant, Latency);
        Says("README.md", $"{spread.Min():0.0} to {burst.Max():0.0} times direct's mean");
        Says("README.md", $"{distant.Min():0} to {distant.Max():0} times with a [simulated distance to AWS](");
        Says("README.md", $"not the published {claimed.Min():0.0} to {claimed.Max():0.0} % more");
        Says("README.md", $"measured {burst.Min():0.0} to {burst.Max():0.0}, published {published.Average(row => row.Ratio):0.00}](");
        Says("README.md", $"[{spread[Array.IndexOf(Levels(Spread), 1_000)]:0.00} at 1,000 users](");
        Says("docs/results.md", $"{burst.Min():0.00} to {burst.Max():0.00} times direct's mean in a burst");
        Says("docs/results.md", $"{spread.Min():0.00} to {spread.Max():0.00} times spread out");
    }

    [Fact]
    public void The_table_of_the_results_has_the_means_of_the_burst_and_the_ratios_of_three_runs() => Assert.All(Levels(Burst), users =>
    {
        var (direct, pubsub) = (Latency(Burst, Relays.Direct, users), Latency(Burst, Relays.PubSub, users));
        var row = ReportTables.Split(
            SourceTree.Lines("docs/results.md").First(line => line.StartsWith($"| {users} |", StringComparison.Ordinal)));

        Assert.StartsWith($"{Format.Short(direct / 1_000)} (", row[2], StringComparison.Ordinal);
        Assert.StartsWith($"{Format.Short(pubsub / 1_000)} (", row[3], StringComparison.Ordinal);
        Assert.Equal(
            new[] { Burst, Spread, Distant }
                .Select(run => Format.Ratio(Latency(run, Relays.PubSub, users) / Latency(run, Relays.Direct, users))),
            [row[4], row[6], row[8]]);
    });

    [Fact]
    public void Ratios_of_bytes_are_those_of_the_servers_counts()
    {
        var all = Ratios(Burst, BytesOut).Concat(Ratios(Spread, BytesOut)).ToArray();

        Says("README.md", $"pubsub sends {all.Min():0.0} to {all.Max():0.0} times as much.");
        Says("docs/results.md", $"pubsub sent {all.Min():0.0} to {all.Max():0.0} times as much");
    }

    [Fact]
    public void The_share_of_the_load_generator_is_that_of_the_null_echo_in_the_burst()
    {
        var shares = Levels(Burst)
            .Select(users => Latency(Burst, Arm.Floor.Name, users) / Latency(Burst, Relays.Direct, users) * 100).ToArray();

        Says("README.md", $"a null echo takes {shares.Min():0} to {shares.Max():0} % of direct's mean");
        Says("docs/results.md", $"a null echo took {shares.Min():0} to {shares.Max():0} % of direct's mean in the burst");
    }

    /// <summary>The run that the results page names so: there may be others.</summary>
    private static RunFolder Linked(string word)
    {
        var link = Regex.Match(
            SourceTree.Read("docs/results.md"), $@"\[{word}\]\(\.\./(?<folder>results/paper/[\w-]+)/report\.md\)");
        return RecordReader.Read(Path.Combine(SourceTree.Root, link.Groups["folder"].Value));
    }

    private static IEnumerable<RunFolder> Runs(string folder, string name) =>
        Directory.GetDirectories(Path.Combine(SourceTree.Root, "results", folder), name).Order(StringComparer.Ordinal)
            .Select(RecordReader.Read);

    private static int[] Levels(RunFolder run) => [.. run.Rows.Select(row => row.Users).Distinct().Order()];

    private static Buckets Sum(string arm, params RunFolder[] runs) => runs.SelectMany(run => run.Rows)
        .Where(row => row.Counts && row.Arm == arm).Select(row => row.Buckets).Aggregate((one, other) => one.Add(other));

    /// <summary>In percent.</summary>
    private static double Loss(string arm, RunFolder run) => Sum(arm, run).EndToEndLoss!.Value * 100;

    private static IEnumerable<IterationRow> Rows(RunFolder run, string arm, int users) =>
        run.Rows.Where(row => row.Counts && row.Arm == arm && row.Users == users);

    private static double Latency(RunFolder run, string arm, int users) => Rows(run, arm, users).Average(row => row.Latency.Mean!.Value);

    private static double ClientBytes(RunFolder run, string arm, int users) =>
        Rows(run, arm, users).Sum(row => row.ClientBytes!.Value.Total);

    private static double BytesOut(RunFolder run, string arm, int users) =>
        ClientBytes(run, arm, users) + Rows(run, arm, users).Sum(row => row.Queue?.BytesOut.Total ?? 0);

    /// <summary>Pubsub's over direct's, by level; both delivered as many messages.</summary>
    private static double[] Ratios(RunFolder run, Func<RunFolder, string, int, double> value) =>
        [.. Levels(run).Select(users => value(run, Relays.PubSub, users) / value(run, Relays.Direct, users))];

    private static void Says(string page, FormattableString sentence) =>
        Assert.Contains(FormattableString.Invariant(sentence), SourceTree.Words(page), StringComparison.Ordinal);
}
