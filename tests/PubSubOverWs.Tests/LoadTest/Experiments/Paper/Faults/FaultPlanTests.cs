using System.Globalization;
using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Faults;

/// <summary>The plans of faults are compared with the records of runs under them.</summary>
public sealed partial class FaultPlanTests
{
    public static TheoryData<string> Folders =>
        [.. Directory.EnumerateFiles(Path.Combine(SourceTree.Root, "results", "faults"), "run.json", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(SourceTree.Root, Path.GetDirectoryName(path)!).Replace('\\', '/'))
            .Order(StringComparer.Ordinal)];

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
                planned.SelectMany(action => Enumerable.Repeat($"fault-{Kebab.Of(action.Kind)}", 2)),
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
        Assert.Equal(proxied, FaultProfiles.Of(profile).SetUp.ProxiedConnections);

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
        Assert.Equal(atOnce, FaultProfiles.Of(profile).SetUp.ConnectsAllAtOnce);

    [Fact]
    public void Faults_with_the_same_parameters_are_equal() =>
        Assert.All(FaultProfiles.All, fault => Assert.Equal(FaultProfiles.Of(fault.Profile), fault with { }));

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
