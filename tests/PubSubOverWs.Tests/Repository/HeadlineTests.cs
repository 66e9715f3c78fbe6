using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.LoadTest.Experiments.WhichQueue;
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

    // Three whole runs each.
    private static readonly RunFolder[] Bursts = Linked("burst");
    private static readonly RunFolder[] Spreads = Linked("spread");
    private static readonly RunFolder[] Whole = [.. Bursts, .. Spreads];
    private static readonly RunFolder Distant = Runs("paper", "*-aws").Single();
    private static readonly RunFolder LocalStack = Runs("paper", "*-localstack").Single();
    private static readonly ILookup<string, RunFolder> Faults =
        Runs("faults", "*").ToLookup(run => run.Run.Scenario.OneWay().Fault.Profile);

    [Fact]
    public void Losses_where_nothing_breaks_are_those_of_all_full_runs()
    {
        string[] arms = [Relays.Direct, Relays.PubSub, Relays.Unpacked.Name];
        var attempts = Assert.Single(arms.Select(arm => Sum(arm, Whole).Attempts).Distinct());
        Assert.All(arms, arm => Assert.Equal(0, Sum(arm, Whole).Lost));
        var levels = Levels(Whole[0]);
        Assert.All(Whole, run => Assert.Equal(levels, Levels(run)));
        var published = PublishedPaper.Load().Loss[^1];

        Says("README.md", $"0 of {attempts:N0} per arm, at {levels[0]:N0} to {levels[^1]:N0} users.");
        Says("README.md", $"({published.Direct.Loss:0.00} % at {published.Users:N0})");
        Says("docs/results.md", $"No arm lost one of its {attempts:N0} messages.");
    }

    [Fact]
    public void Losses_where_a_subscriber_or_the_server_goes_away_are_those_of_the_runs_under_such_faults()
    {
        Assert.All(Absences, fault => Assert.NotEmpty(Faults[fault]));
        var losses = Absences.SelectMany(fault => Faults[fault]).Select(run => Loss(Relays.Direct, run)).ToArray();

        Says("README.md", $"the queue saves what the direct server loses: {losses.Min():0} to {losses.Max():0} % of all messages.");
        // What pubsub did not deliver in time came late.
        var saved = Sum(Relays.PubSub, [.. Absences.SelectMany(fault => Faults[fault])]);
        Assert.Equal(saved.Late, saved.Lost);
        Says("docs/results.md", $"of pubsub's {saved.Late:N0} came late.");
    }

    [Fact]
    public void Pubsub_lost_no_acknowledged_message_but_with_its_queue_and_slow_subscribers_gain_nothing()
    {
        Assert.All(Faults.Where(runs => runs.Key != "queue-killed").SelectMany(runs => runs),
            run => Assert.Equal(0, Sum(Relays.PubSub, run).LostAcknowledged));
        var killed = Sum(Relays.PubSub, Assert.Single(Faults["queue-killed"]));
        Says("docs/results.md", $"{killed.LostAcknowledged:N0} of {killed.Acknowledged:N0}, with the queue that held them.");
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
    public void In_power_cuts_queues_that_answer_for_their_disk_lose_nothing_and_all_others_something()
    {
        var cuts = Runs("which-queue", "*").Single().Rows
            .Where(row => row.Counts && QueueTrial.Of(row.Level) == QueueTrial.PowerCut).ToLookup(row => row.Arm, row => row.Buckets);
        string[] durable = [QueueArms.Redis, QueueArms.RabbitMq, QueueArms.NatsAlways];
        Assert.All(cuts, arm => Assert.Equal(
            durable.Contains(arm.Key), arm.All(one => one.LostAcknowledged + one.StillQueued + one.DeadLettered == 0)));
        var acknowledged = Assert.Single(durable.Select(arm => cuts[arm].Sum(one => one.Acknowledged)).Distinct());

        Says("README.md", $"lost none of {acknowledged:N0} acknowledged messages each; all others lost some.");
    }

    [Fact]
    public void Ratios_of_latency_are_those_of_the_means_of_iterations()
    {
        var (burst, spread) = (Ratios(Bursts, Latency), Ratios(Spreads, Latency));
        var (distant, other) = (Ratios([Distant], Latency), Ratios([LocalStack], Latency));
        var published = PublishedPaper.Load().Latency;
        var claimed = published.Where(row => row.Users >= 500).Select(row => (row.Ratio - 1) * 100).ToArray();

        Says("README.md", $"{burst.Min():0.0} to {burst.Max():0.0} times direct's mean when all users send at once");
        Says("README.md", $"{spread.Min():0.0} to {spread.Max():0.0} times when they send over 2 s");
        Says("README.md", $"{other.Min():0.0} to {other.Max():0.0} times (LocalStack) and");
        Says("README.md", $"{distant.Min():0} to {distant.Max():0} times (AWS's distance, simulated)");
        Says("docs/results.md", $"R was {other.Min():0.00} to {other.Max():0.00} in a burst, without a loss.");
        Assert.All([Relays.Direct, Relays.PubSub], arm => Assert.Equal(0, Sum(arm, LocalStack).Lost));
        Says("README.md", $"not the published {claimed.Min():0.0} to {claimed.Max():0.0} % more");
        var drawn = Ratios([Bursts[0]], Latency);
        Says("README.md", $"measured {drawn.Min():0.0} to {drawn.Max():0.0}, published {published.Average(row => row.Ratio):0.00}](");
        Says("docs/results.md", $"{burst.Min():0.00} to {burst.Max():0.00} times direct's mean in a burst");
        Says("docs/results.md", $"{spread.Min():0.00} to {spread.Max():0.00} times spread out");
    }

    [Fact]
    public void Tables_of_the_runs_together_have_the_ratio_of_each() => Assert.All(
        new[] { Bursts, Spreads }.Index(),
        table => Assert.All(Levels(table.Item[0]), users =>
        {
            var row = ReportTables.Split(SourceTree.Lines("docs/results.md")
                .Where(line => line.StartsWith($"| {users} |", StringComparison.Ordinal)).ElementAt(table.Index));

            Assert.Equal(
                table.Item.Select(run => Format.Ratio(Ratio(run, users, Latency))),
                row[1..4].Select(cell => cell[..cell.IndexOf(' ')]));
        }));

    [Fact]
    public void Ratios_of_bytes_are_those_of_the_servers_counts()
    {
        var (packed, single) = (Ratios(Whole, BytesOut), Ratios(Whole, BytesOut, Relays.Unpacked.Name));

        Says("README.md", $"pubsub sends {packed.Min():0.0} to {packed.Max():0.0} times as much");
        Says("README.md", $"{single.Min():0.0} to {single.Max():0.0} times where each message is an SQS message of its own");
        Says("docs/results.md", $"pubsub sent {packed.Min():0.0} to {packed.Max():0.0} times as much");
        Says("docs/results.md", $"pubsub+single {single.Min():0.0} to {single.Max():0.0} times");
    }

    [Fact]
    public void The_share_of_the_load_generator_is_that_of_the_null_echo_in_the_bursts()
    {
        var ratios = Ratios(Bursts, Latency, Arm.Floor.Name);
        var (least, most) = (ratios.Min() * 100, ratios.Max() * 100);

        Says("README.md", $"a null echo takes {least:0} to {most:0} % of direct's mean");
        Says("docs/results.md", $"a null echo took {least:0} to {most:0} % of direct's mean in the bursts");
    }

    [Fact]
    public void Noise_floors_are_those_of_the_runs_of_one_server_against_itself()
    {
        var (burst, spread) = (Noise(Bursts), Noise(Spreads));

        Says("README.md", $"[up to {burst.Values.Max():0.0} times](");
        Says("docs/results.md", $"up to {burst[Relays.Direct]:0.00} times in mean latency in a burst ([direct](");
        Says("docs/results.md", $"and {burst[Relays.PubSub]:0.00} ([pubsub](");
        Says("docs/results.md", $"spread out by {spread[Relays.Direct]:0.00} ([direct](");
        Says("docs/results.md", $"and {spread[Relays.PubSub]:0.00} ([pubsub](");
    }

    /// <summary>The runs that the results page lists behind the word: there may be others.</summary>
    private static RunFolder[] Linked(string word) =>
    [
        .. Regex.Match(SourceTree.Read("docs/results.md"), $@"\({word}:(?<links>[^)]*(\)[^)]*){{3}})\)").Groups["links"].Value
            .Split("(../")[1..]
            .Select(link => RecordReader.Read(Path.Combine(SourceTree.Root, link.Split("/report.md")[0]))),
    ];

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

    /// <summary>An arm's over direct's, by run and level; both delivered as many messages.</summary>
    private static double[] Ratios(
        IEnumerable<RunFolder> runs, Func<RunFolder, string, int, double> value, string arm = Relays.PubSub) =>
        [.. runs.SelectMany(run => Levels(run).Select(users => Ratio(run, users, value, arm)))];

    private static double Ratio(
        RunFolder run, int users, Func<RunFolder, string, int, double> value, string arm = Relays.PubSub) =>
        value(run, arm, users) / value(run, Relays.Direct, users);

    /// <summary>The largest ratio of mean latencies of two instances, by their server: the same for all of these runs.</summary>
    private static Dictionary<string, double> Noise(RunFolder[] runs)
    {
        var sources = runs[0].Noise!.Sources;
        Assert.All(runs, run => Assert.Equal(sources, run.Noise!.Sources));
        return sources.ToDictionary(source => source.Found.Server, source => source.Found.Latency!.Value);
    }

    private static void Says(string page, FormattableString sentence) =>
        Assert.Contains(FormattableString.Invariant(sentence), SourceTree.Words(page), StringComparison.Ordinal);
}
