using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply;

/// <summary>How many requests a second go there and back, how fast, and what that costs, beside the published figures.</summary>
internal static class RequestReplyAnalysis
{
    private const int ClaimedRate = 25_000;

    // Of the server with nothing behind it.
    private const string Bare = RequestReplyScenario.Bare;

    private static readonly PublishedRequestReply Published = PublishedRequestReply.Load();

    private static readonly KneeLimit Fast = new(TimeSpan.FromMilliseconds(100));

    private static readonly KneeLimit AsPublished = new(TimeSpan.FromMilliseconds(Published.LatencyMs.P99), "the published p99");

    private static readonly KneeLimit AtEase = new(TimeSpan.FromMilliseconds(10));

    private static readonly KneeRule Rule = new([Fast, AsPublished], Answered);

    private static readonly Metric Connections = new("connections", new MetricUnit("connections", 1), (_, row) => row.Connections)
    { IsOfTrial = true };

    public static Analysis Analysis { get; } = new(
    [
        MessageMetrics.Loss, Metric.From(RequestReplyScenario.Answered), MessageMetrics.Latency, MessageMetrics.LatencyP50,
        MessageMetrics.LatencyP99, .. Parts(), Metric.From(RequestReplyScenario.PerCoreSecond),
        Metric.From(RequestReplyScenario.ServerBusy),
        Metric.From(RequestReplyScenario.LoadBusy), Metric.From(RequestReplyScenario.Resident), Connections,
        Metric.From(RequestReplyScenario.NotSent),
    ])
    {
        Knee = Rule,
        Claims =
        [
            new HeldRateClaim(
                Invariant($"{Bare}-holds-{ClaimedRate}"),
                $"{Bare} holds every offered rate up to {Format.Whole(ClaimedRate)} requests/s, {Fast}, and loses nothing", Bare, Rule,
                Fast, (_, level) => level.Rate <= ClaimedRate),
            new HeldRateClaim(
                $"{Bare}-is-at-ease-as-published",
                $"{Bare} holds the published rate of a user, {Format.Short(Published.RequestsPerUser)} requests/s, {AtEase}, and "
                    + "loses nothing",
                Bare, Rule, AtEase,
                (scenario, level) => level.Rate <= Published.RequestsPerUser * ((RequestReplyScenario)scenario).Users),
        ],
        Sections = Beside,
    };

    private static double? Answered(IterationRow row) => row.Measures.GetValueOrDefault(RequestReplyScenario.Answered.Name);

    private static IEnumerable<Metric> Parts() =>
        new RequestReplyScenario { Name = "" }.Flows.Where(flow => !flow.Judged).Select(MessageMetrics.LatencyP99.Of);

    private static IEnumerable<Block> Beside(RunFolder folder)
    {
        var scenario = (RequestReplyScenario)folder.Run.Scenario;
        Measured[] arms =
        [
            .. from knee in KneeRow.All(folder, Rule)
               where knee.Limit == AsPublished.ToString()
               group knee by knee.Arm into arm
               let rate = arm.First().Holds ?? scenario.Rates[0]
               select new Measured(arm.Key, arm.First().Holds is not null, rate,
                   ArmLevel.From(folder, arm.Key, scenario.Levels.Single(level => level.Rate == rate)).Rows),
        ];
        var latency = Published.LatencyMs;
        yield return new Heading(2, "Beside the published figures");
        yield return new Paragraph(
            $"Published: {Published.Title}, {Published.Processor} with {Format.Whole(Published.MemoryGB)} GB. Measured: each arm at the "
                + $"highest rate that it held in every block, {AsPublished}, or at the lowest where it held none; means over iterations, "
                + "and the largest of all for the maximum. No verdict follows from this table.");
        yield return Lines(
            arms,
            ("requests/s", Format.Whole(Published.RequestsPerSecond),
                arm => Format.Whole(arm.Rate) + (arm.IsHeld ? "" : " (not held)")),
            ("requests/s of a user", Format.Short(Published.RequestsPerUser), arm => Format.Short((double)arm.Rate / scenario.Users)),
            ("connections of users", Format.Whole(Published.Connections),
                arm => Format.Short(arm.Mean(row => row.Connections - scenario.Providers))),
            ("providers", Format.Whole(Published.Providers), _ => Format.Whole(scenario.Providers)),
            ("request, reply", $"{Published.RequestBytes} B, {Published.ReplyBytes} B",
                _ => $"{scenario.RequestBytes} B, {scenario.ReplyBytes} B"),
            ("round trip, mean (ms)", Format.Short(latency.Mean), arm => Ms(arm, row => row.Latency.Mean)),
            ("standard deviation (ms)", Format.Short(latency.Sd), arm => Ms(arm, row => row.Latency.StandardDeviation)),
            ("p95 (ms), which is not recorded here", Format.Short(latency.P95), _ => Format.None),
            ("p99 (ms)", Format.Short(latency.P99), arm => Ms(arm, row => row.Latency.P99)),
            ("maximum (ms)", Format.Short(latency.Max), arm => Format.Short(arm.Rows.Max(row => row.Latency.Max) / 1000)),
            ("processor of the server, of all its cores", $"below {Format.Percent(Published.BusyPercentBelow / 100.0, 0)}",
                arm => Format.Percent(arm.Mean(Reading(RequestReplyScenario.ServerBusy)) / 100, 0)),
            ("requests per busy core-second", $"{Format.Short(Published.LeastPerCoreSecond)} or more",
                arm => Format.Short(arm.Mean(Reading(RequestReplyScenario.PerCoreSecond)))),
            ("Gbit/s in, out, which are not recorded here", $"{Format.Fixed(Published.GbpsIn, 2)}, {Format.Fixed(Published.GbpsOut, 2)}",
                _ => Format.None),
            ("memory of the server (MiB)", Format.None, arm => Format.Short(arm.Mean(Reading(RequestReplyScenario.Resident)))));
        yield return new BulletList(Published.Notes);
    }

    private static Table Lines(Measured[] arms, params (string Name, string Published, Func<Measured, string> Of)[] lines) => new(
        ["", "published", .. arms.Select(arm => arm.Arm)],
        [.. lines.Select(line => (IReadOnlyList<string>)[line.Name, line.Published, .. arms.Select(line.Of)])]);

    private static string Ms(Measured arm, Func<IterationRow, double?> of) => Format.Short(arm.Mean(of) / 1000);

    private static Func<IterationRow, double?> Reading(Measure measure) => row => row.Measures.GetValueOrDefault(measure.Name);

    private sealed record Measured(string Arm, bool IsHeld, int Rate, IReadOnlyList<IterationRow> Rows)
    {
        public double? Mean(Func<IterationRow, double?> of) => Rows.Select(of).Average();
    }
}
