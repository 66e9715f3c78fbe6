namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>The published model, the corrected one and what was measured, by delay.</summary>
internal static class SweepSection
{
    private static readonly string[] Modelled = [TransportArms.LongPolling, TransportArms.Polling];

    public static IEnumerable<Block> Write(RunFolder folder)
    {
        var scenario = (TransportSweepScenario)folder.Run.Scenario;
        var model = TransportModel.Compute(scenario);
        Point[] points =
        [
            .. from level in scenario.Levels
               from arm in scenario.ShownArms
               let readings = MetricReadings.Read(folder, arm, level, MessageMetrics.Latency)
               where readings.Count > 0
               select new Point(
                   arm, level.Number, readings.Average(reading => reading.Value), model.Expected(arm, level.Number),
                   TransportClaims.OfModel(scenario, arm, level)),
        ];
        if (points.Length == 0)
            yield break;
        yield return new Heading(2, "Delays and the model");
        yield return new Paragraph(
            $"Mean latency in ms over {Format.Count(scenario.Phases, "client")} of each arm, whose polls begin at evenly spaced phases "
                + "towards the sensor. Where a cycle of polls nearly is the period of the sensor, polls keep their phase, and nothing is "
                + "claimed.");
        foreach (var arm in Modelled.Where(arm => Array.Exists(points, point => point.Arm == arm)))
            yield return new Drawn(Draw(arm, model, [.. points.Where(point => point.Arm == arm)]));
        yield return Table.From(
            points,
            ("delay", point => Format.Whole(point.Delay)),
            ("arm", point => point.Arm),
            ("measured", point => Format.Fixed(point.Measured, 1)),
            ("published model", point => Format.Fixed(Published(model, point.Arm, point.Delay), 1)),
            ("corrected model", point => Format.Fixed(point.Expected, 1)),
            ("measured - corrected", point => Format.Fixed(point.Measured - point.Expected, 1)),
            ("within 10 % or 2 ms", point => point.Allowed is not { } allowed ? "not claimed"
                : point.Measured >= allowed.Low && point.Measured <= allowed.High ? "yes" : "**NO**"));
    }

    private static double Published(TransportModel model, string arm, double nu) =>
        arm == TransportArms.LongPolling ? model.PublishedLongPolling(nu) : model.Expected(arm, nu);

    private static Figure Draw(string arm, TransportModel model, IReadOnlyList<Point> points)
    {
        var most = points.Max(point => point.Delay);
        var x = Scale.Linear([most], Axes.Left, Axes.Right);
        double[] places = [.. Enumerable.Range(0, 401).Select(i => most * i / 400.0)];
        var y = Scale.Linear(
            [.. points.Select(point => point.Measured), .. places.Select(nu => model.Expected(arm, nu))], Axes.Bottom, Axes.Top);
        var title = $"Mean latency of {arm} against the delay each way";
        return new Figure(
            $"sweep-{arm}", title,
            "Marks are measured means. The solid line is the corrected model, the other one the published model; where there is one line, "
                + "they agree.",
            [Report.Standard.Figures.Key.From(ArmStyle.First, "measured")],
            [
                Svg.Drawing(
                    $"sweep-{arm}-drawing", title,
                    string.Join("; ", points.Select(point => $"{Format.Short(point.Measured)} ms at {point.Delay} ms")), Axes.Height,
                    Axes.Draw(x, y, "ms each way", "ms"),
                    Svg.Curve(places.Select(nu => (x[nu], y[Published(model, arm, nu)])), $"curve {ArmStyle.Other}"),
                    Svg.Curve(places.Select(nu => (x[nu], y[model.Expected(arm, nu)])), $"curve {ArmStyle.First}"),
                    points.Select(point => Svg.Mark(ArmStyle.First, x[point.Delay], y[point.Measured], 3.5))),
            ],
            [
                new FigureTable(
                    "Mean latency (ms)", ["delay", "measured", "corrected model"],
                    [.. points.Select(point => (IReadOnlyList<string>)
                        [$"{point.Delay}", Format.Short(point.Measured), Format.Short(point.Expected)])]),
            ]);
    }

    /// <param name="Delay">ms each way.</param>
    /// <param name="Measured">ms, over iterations.</param>
    /// <param name="Expected">By the corrected model.</param>
    /// <param name="Allowed">What is claimed; null: nothing.</param>
    private sealed record Point(string Arm, int Delay, double Measured, double Expected, Interval? Allowed);
}
