using System.Globalization;
using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Faults;

/// <summary>The plans of faults, compared with the records of runs under them, and their times.</summary>
public sealed partial class FaultPlanTests
{
    public static TheoryData<string> Folders =>
        [.. Directory.EnumerateFiles(Path.Combine(SourceTree.Root, "results", "faults"), "run.json", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(SourceTree.Root, Path.GetDirectoryName(path)!).Replace('\\', '/'))
            .Order(StringComparer.Ordinal)];

    private static readonly TimeSpan Spread = TimeSpan.FromSeconds(24);

    private static readonly RestartFault Restart = new(KillSignal.Kill);

    [Fact]
    public void Profiles_act_on_servers_or_the_queue_as_one_server_has_no_others() =>
        Assert.DoesNotContain(
            FaultProfiles.All.SelectMany(fault => FaultTimeline.For(fault, seed: 1, iteration: 1, Spread)), action => action.IsOfNode);

    [Theory]
    [MemberData(nameof(Folders))]
    public void A_fault_yields_the_settings_that_its_servers_had(string folder)
    {
        var run = Read(folder).Run;
        var fault = run.Scenario.OneWay().Fault;

        foreach (var arm in run.Scenario.Arms)
        {
            var recorded = run.SetUp.Settings.Where(one => one.Key.StartsWith($"{arm} ", StringComparison.Ordinal))
                .Select(one => (Key: one.Key[(arm.Name.Length + 1)..], one.Value))
                // Of the arm, whatever is broken.
                .Where(one => !one.Key.StartsWith("Sqs:", StringComparison.Ordinal) && one.Key != "Direct:Buffer");

            Assert.Equal(
                fault.SetUp.Settings.Concat(fault.SetUp.Environment).Select(one => (one.Key, one.Value)).Order(), recorded.Order());
        }
    }

    [Theory]
    [MemberData(nameof(Folders))]
    public void A_fault_yields_the_toxics_that_connections_went_through(string folder)
    {
        var record = Read(folder);
        var toxics = record.Events.Where(row => row.Kind == "fault-toxics").Select(row => Toxics().Match(row.Detail).Value).Distinct()
            .ToArray();

        var network = record.Run.Scenario.OneWay().Fault.SetUp.Network;
        Assert.Equal(network == NetworkConditions.Undisturbed ? [] : [ToxicsOf(network)], toxics);
    }

    [Theory]
    [MemberData(nameof(Folders))]
    public void A_fault_yields_the_actions_that_were_done_and_when(string folder)
    {
        var record = Read(folder);
        var scenario = record.Run.Scenario;
        var done = record.Events.Where(row => row.IsFaultAction).Select(row => (Row: row, Match: Moment().Match(row.Detail)))
            .ToLookup(one => (one.Row.Target, int.Parse(one.Match.Groups["iteration"].Value, CultureInfo.InvariantCulture)));

        Assert.Equal(done.Count > 0,
            FaultTimeline.For(scenario.OneWay().Fault, scenario.Seed, 1, scenario.OneWay().Arrival.Spread).Count > 0);
        foreach (var iteration in done)
        {
            var planned = FaultTimeline.For(scenario.OneWay().Fault, scenario.Seed, iteration.Key.Item2, scenario.OneWay().Arrival.Spread);
            Assert.Equal(
                planned.SelectMany(action => Enumerable.Repeat($"fault-{Kebab.Text(action.Kind)}", 2)),
                iteration.Select(one => one.Row.Kind));
            // From the first action of the iteration, for the record does not have when its first message was due.
            var from = iteration.First().Row.At - planned[0].At;
            Assert.All(planned.Zip(iteration.Chunk(2)), one =>
            {
                Assert.Equal(one.First.At.TotalSeconds, (one.Second[0].Row.At - from).TotalSeconds, 0.1);
                var late = TimeSpan.FromMilliseconds(
                    int.Parse(one.Second[1].Match.Groups["late"].Value, CultureInfo.InvariantCulture));
                Assert.Equal((one.First.At + one.First.For).TotalSeconds, (one.Second[1].Row.At - from - late).TotalSeconds, 0.1);
            });
        }
    }

    [Theory]
    [InlineData("none", 0)]
    [InlineData("churn", 1)]
    [InlineData("bad-network", 1)]
    [InlineData("restart", 2)]
    [InlineData("restart-term", 2)]
    [InlineData("overload-restart", 2)]
    [InlineData("queue-down", 0)]
    public void Clients_meet_a_proxy_where_their_connections_are_disturbed_or_their_server_goes_away(string profile, int proxied) =>
        Assert.Equal(proxied, FaultProfiles.Find(profile).SetUp.ProxiedConnections);

    [Fact]
    public void Nothing_disturbs_connections_that_have_no_proxy() => Assert.All(
        FaultProfiles.All.Where(fault => fault.SetUp.ProxiedConnections == 0),
        fault => Assert.Equal(NetworkConditions.Undisturbed, fault.SetUp.Network));

    [Fact]
    public void Subscribers_stay_away_or_read_slowly_as_the_profile_says()
    {
        Assert.Equal(TimeSpan.FromSeconds(2), new ChurnFault { Away = TimeSpan.FromSeconds(2) }.SetUp.SubscribersAway);
        var slow = new SlowConsumerFault { Share = 0.2, BytesPerSecond = 50 }.SetUp;
        Assert.Equal((0.2, 50), (slow.SlowSubscribers, slow.SlowBytesPerSecond));
        var nothing = FaultProfiles.None.SetUp;
        Assert.Equal((TimeSpan.Zero, 0), (nothing.SubscribersAway, nothing.SlowSubscribers));
    }

    [Theory]
    [InlineData("none", false)]
    [InlineData("churn", false)]
    [InlineData("connect-storm", true)]
    public void In_a_storm_all_connect_at_once(string profile, bool atOnce) =>
        Assert.Equal(atOnce, FaultProfiles.Find(profile).SetUp.ConnectsAllAtOnce);

    [Fact]
    public void Faults_with_the_same_parameters_are_equal() =>
        Assert.All(FaultProfiles.All, fault => Assert.Equal(FaultProfiles.Find(fault.Profile), fault with { }));

    [Fact]
    public void Restarts_come_one_in_each_part_with_time_to_recover_before_the_next()
    {
        foreach (var iteration in Enumerable.Range(1, 200))
        {
            var moments = FaultTimeline.For(Restart, 2015, iteration, Spread);
            Assert.Equal([FaultActionKind.KillServer, FaultActionKind.KillServer], moments.Select(moment => moment.Kind));
            Assert.All(moments, moment => Assert.Equal(Restart.Down, moment.For));
            Assert.InRange(moments[0].At, TimeSpan.Zero, TimeSpan.FromSeconds(4));
            Assert.InRange(moments[1].At, TimeSpan.FromSeconds(12), TimeSpan.FromSeconds(16));
        }
    }

    [Fact]
    public void A_short_outage_leaves_as_long_again_to_recover()
    {
        var brief = Restart with { Down = TimeSpan.FromSeconds(1) };
        var last = Enumerable.Range(1, 2_000).Max(iteration => FaultTimeline.For(brief, 2015, iteration, Spread)[0].At.TotalSeconds);
        Assert.InRange(last, 9.9, 10);
    }

    [Fact]
    public void Times_are_drawn_by_seed_and_iteration_alone()
    {
        Assert.Equal(FaultTimeline.For(Restart, 7, 3, Spread), FaultTimeline.For(Restart, 7, 3, Spread));
        Assert.NotEqual(FaultTimeline.For(Restart, 7, 3, Spread), FaultTimeline.For(Restart, 7, 4, Spread));
        Assert.NotEqual(FaultTimeline.For(Restart, 7, 3, Spread), FaultTimeline.For(Restart, 8, 3, Spread));
    }

    [Fact]
    public void Over_many_iterations_every_part_of_the_time_is_drawn()
    {
        var first = Enumerable.Range(1, 2_000).Select(iteration => FaultTimeline.For(Restart, 2015, iteration, Spread)[0].At.TotalSeconds)
            .ToArray();
        Assert.InRange(first.Average(), 1.9, 2.1);
        Assert.All(Enumerable.Range(0, 4), second => Assert.InRange(first.Count(at => (int)at == second), 430, 570));
    }

    [Fact]
    public void A_stopped_server_is_stopped_when_a_killed_one_is_killed()
    {
        var stopped = FaultTimeline.For(new RestartFault(KillSignal.Term), 2015, 1, Spread);
        Assert.Equal(
            FaultTimeline.For(Restart, 2015, 1, Spread).Select(moment => moment with { Kind = FaultActionKind.StopServer }), stopped);
    }

    [Fact]
    public void Under_overload_the_server_is_killed_once_in_the_second_half_where_a_backlog_waits()
    {
        foreach (var iteration in Enumerable.Range(1, 200))
        {
            var moment = Assert.Single(FaultTimeline.For(new OverloadRestartFault(), 2015, iteration, Spread));
            Assert.Equal((FaultActionKind.KillServer, TimeSpan.FromSeconds(5)), (moment.Kind, moment.For));
            Assert.InRange(moment.At, TimeSpan.FromSeconds(12), TimeSpan.FromSeconds(16));
        }
    }

    [Fact]
    public void The_queue_is_away_or_killed_when_the_scenario_says_so()
    {
        Assert.Equal(
            [new FaultAction(TimeSpan.FromSeconds(8), FaultActionKind.QueueRefuses, TimeSpan.FromSeconds(5))],
            FaultTimeline.For(new QueueDownFault(), 1, 1, Spread));
        Assert.Equal(FaultActionKind.QueueStalls, FaultTimeline.For(new QueueDownFault { How = QueueAbsence.Stall }, 1, 1, Spread)[0].Kind);
        Assert.Equal(
            [new FaultAction(TimeSpan.FromSeconds(12), FaultActionKind.KillQueue, TimeSpan.FromSeconds(1))],
            FaultTimeline.For(new QueueKilledFault(), 1, 1, Spread));
    }

    [Fact]
    public void A_fault_that_lasts_all_the_time_has_no_actions() =>
        Assert.All([FaultProfiles.None, new ChurnFault(), new BadNetworkFault(), new OverloadFault()],
            fault => Assert.Empty(FaultTimeline.For(fault, 1, 1, Spread)));

    private static RunFolder Read(string folder) => RecordReader.Read(Path.Combine(SourceTree.Root, folder));

    // As the fault proxy is told them.
    private static string ToxicsOf(NetworkConditions network)
    {
        List<string> toxics = [];
        if (network.SliceBytes is { } bytes)
            toxics.Add($"\"slicer\",\"bytes\":{bytes},\"variation\":0,\"delay\":\"0s\"");
        if (network.BytesPerSecond is { } rate)
            toxics.Add($"\"bandwidth\",\"bytesPerSecond\":{rate}");
        if (network.Latency is { } latency)
            toxics.Add($"\"latency\",\"delay\":\"{Duration.Text(latency)}\",\"jitter\":\"{Duration.Text(network.Jitter)}\"");
        if (network.StallEvery is { } every)
            toxics.Add($"\"stall\",\"every\":\"{Duration.Text(every)}\",\"for\":\"{Duration.Text(network.StallFor)}\"");
        if (network.ResetAfter is { } after)
            toxics.Add($"\"reset\",\"after\":\"{Duration.Text(after)}\",\"jitter\":\"{Duration.Text(network.ResetJitter)}\"");
        if (network.CutEvery is { } cut)
            toxics.Add($"\"churn\",\"every\":\"{Duration.Text(cut)}\"");
        var said = toxics.Select(toxic => $"{{\"toxic\":{toxic},\"direction\":\"both\",\"probability\":{Share(toxic)}}}");
        return $"[{string.Join(",", said)}]";

        string Share(string toxic) =>
            (toxic.StartsWith("\"reset", StringComparison.Ordinal) ? network.ResetShare : 1).ToString(CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@"\[.*\]")]
    private static partial Regex Toxics();

    [GeneratedRegex(@"^iteration (?<iteration>\d+): (begins|is over, (?<late>-?\d+) ms after it was due)")]
    private static partial Regex Moment();
}
