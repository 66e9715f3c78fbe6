namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>The published table beside the measured one.</summary>
internal static class PublishedSection
{
    public static IEnumerable<Block> Write(RunFolder folder)
    {
        var scenario = (TransportsScenario)folder.Run.Scenario;
        var published = PublishedTransports.Load();
        yield return new Heading(2, "The published table, and this run");
        yield return new Paragraph(published.Citation);
        yield return new Paragraph(
            "Mean one-way latency in ms from the server's stamp, with the standard deviation over the messages of a test in brackets. The "
                + "model is a simulation with the delays that this run draws. The order is that of the published test: Welch, one-sided, "
                + $"at {Format.Percent(published.Confidence, 0)}, over the messages of one test, which are not independent; claims are "
                + "judged on tests instead.");
        yield return Table.From(
            Rows(folder, scenario),
            ("test", row => row.Test.Name),
            ("arm", row => row.Arm),
            ("published", row => row.Published is { } one ? Invariant($"{one.Mean:0.0#} ({one.Sd:0.0#})") : Format.None),
            ("measured", row => row.Tests.Count == 0 ? Format.None : $"{Format.Fixed(row.Mean, 1)} ({Format.Fixed(row.Sd, 1)})"),
            ("published / WebSocket", row => Format.Fixed(row.Published?.Mean / row.Test.WebSocket.Mean, 2)),
            ("measured / WebSocket", row => Format.Fixed(row.Mean / row.Reference, 2)),
            ("model / WebSocket", row => Format.Fixed(row.Model, 2)),
            ("order published", row => row.Published is { } one && row.Arm != TransportArms.WebSocket
                ? Word(Decide(published, row.Test.WebSocket.Moments(published.Samples), one.Moments(published.Samples)))
                : Format.None),
            ("order as published", row => row.Orders(published)));
        yield return new Paragraph("Errata and notes on the published figures:");
        yield return new BulletList(published.Notes, IsVerbatim: true);
    }

    private static IEnumerable<Row> Rows(RunFolder folder, TransportsScenario scenario) =>
        from level in scenario.Levels
        from arm in scenario.ShownArms
        select new Row(
            arm, TransportsScenario.PublishedAt(level), Tests(folder, arm, level), Tests(folder, TransportArms.WebSocket, level),
            ExpectedRatios.Compute(scenario, arm, level));

    private static IReadOnlyList<Moments> Tests(RunFolder folder, string arm, Level level) =>
    [
        .. from row in ArmLevel.From(folder, arm, level).Rows
           let latency = row.Latency
           where latency.StandardDeviation is not null
           select new Moments(
               (int)latency.Count, latency.Mean!.Value / 1000, Math.Pow(latency.StandardDeviation!.Value / 1000, 2)),
    ];

    private static PublishedOrder Decide(PublishedTransports published, Moments webSocket, Moments other) =>
        PublishedTestOfMessages.Decide(webSocket, other, published.Confidence);

    private static string Word(PublishedOrder order) => order.ToString().ToLowerInvariant();

    /// <param name="Tests">Of the arm: the messages of each iteration, in ms.</param>
    /// <param name="WebSocket">Of the reference, in the same order.</param>
    /// <param name="Model">The expected ratio to the reference.</param>
    private sealed record Row(
        string Arm, PublishedTest Test, IReadOnlyList<Moments> Tests, IReadOnlyList<Moments> WebSocket, double? Model)
    {
        public PublishedTransport? Published => Test.Of(Arm);

        public double? Mean => Average(Tests);

        public double? Sd => Tests.Count == 0 ? null : Tests.Average(test => test.StandardDeviation);

        public double? Reference => Average(WebSocket);

        /// <summary>The published test of each iteration.</summary>
        public string Orders(PublishedTransports published) =>
            Arm == TransportArms.WebSocket || Tests.Count == 0 || Tests.Count != WebSocket.Count ? Format.None : string.Join(
                ", ", WebSocket.Zip(Tests, (reference, other) => Decide(published, reference, other))
                    .CountBy(order => order).OrderByDescending(one => one.Value)
                    .Select(one => $"{Word(one.Key)} in {one.Value} of {Tests.Count}"));

        private static double? Average(IReadOnlyList<Moments> tests) => tests.Count == 0 ? null : tests.Average(test => test.Mean);
    }
}
