using PubSubOverWs.Report.Standard.Sections;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>Values that are shown and never judged: the shape of latency, the floor, egress, the queue, the load.</summary>
internal static class CostSection
{
    public static IEnumerable<Block> Write(PaperModel model) =>
        [new Heading(2, "Shown, not judged"), .. Latency(model), .. Floor(model), .. Egress(model), .. Load(model)];

    private static IEnumerable<Block> Latency(PaperModel model)
    {
        yield return new Heading(3, "The shape of latency (ms)");
        yield return Table.From(
            model.LatencyShapes,
            ("users", row => Format.Whole(row.Users)),
            ("arm", row => row.Arm),
            ("mean", row => Format.Short(row.Mean)),
            ("restricted mean", row => Format.Short(row.RestrictedMean)),
            ("p50", row => Format.Short(row.P50)),
            ("p90", row => Format.Short(row.P90)),
            ("p99", row => Format.Short(row.P99)),
            ("max", row => Format.Short(row.Max)),
            ("mean from due", row => Format.Short(row.MeanFromDue)));
        yield return new Paragraph(
            "The restricted mean counts lost messages at the deadline. Percentiles are medians over iterations of each iteration's own "
                + "percentile, if it has enough samples (1,000 for p99).");
        foreach (var block in CurveSection.Write(model.LatencyShapes))
            yield return block;
    }

    private static IEnumerable<Block> Floor(PaperModel model)
    {
        yield return new Heading(3, "The floor of the set-up (ms)");
        if (model.Floor.Count == 0)
            yield return new Paragraph("Not measured.");
        yield return Table.From(
            model.Floor,
            ("users", row => Format.Whole(row.Users)),
            ("n", row => Format.Whole(row.Iterations)),
            ("null echo, mean", row => Format.Short(row.Mean)),
            ($"of {model.Compared.First}'s mean", row => Format.Percent(row.OfFirst, 1)),
            ("lowest", row => Format.Short(row.Lowest)),
            ("highest", row => Format.Short(row.Highest)));
        if (model.Floor.Count > 0)
            yield return new Paragraph(
                "The same load against a null echo, which only returns its messages: what the load takes by itself. It is no lower bound, "
                    + "for it may take longer than a server, so nothing is computed without it.");
    }

    private static IEnumerable<Block> Egress(PaperModel model)
    {
        yield return new Heading(3, "Egress, bytes per delivered message");
        var counted = model.Egress.Any(row => row.PerMessage.Clients is not null || row.PerMessage.QueueBytesOut is not null);
        if (!counted)
            yield return new Paragraph(TableSection.NotCounted);
        yield return Table.From(
            counted ? model.Egress : [],
            ("users", row => Format.Whole(row.Users)),
            ("arm", row => row.Arm),
            ("payload", row => Format.Fixed(row.PerMessage.Payload, 1)),
            ("STOMP", row => Format.Fixed(row.PerMessage.Stomp, 1)),
            ("WebSocket", row => Format.Fixed(row.PerMessage.WebSocket, 1)),
            ("to clients", row => Format.Fixed(row.PerMessage.Clients, 1)),
            ("to the queue", row => Format.Fixed(row.PerMessage.QueueBytesOut?.Total, 1)),
            ("of which send", row => Format.Fixed(row.PerMessage.QueueBytesOut?.Send, 1)),
            ("receive", row => Format.Fixed(row.PerMessage.QueueBytesOut?.Receive, 1)),
            ("delete", row => Format.Fixed(row.PerMessage.QueueBytesOut?.Delete, 1)),
            ("visibility", row => Format.Fixed(row.PerMessage.QueueBytesOut?.ChangeVisibility, 1)),
            ("other", row => Format.Fixed(row.PerMessage.QueueBytesOut?.Other, 1)),
            ("all", row => Format.Fixed(row.PerMessage.BytesOut, 1)));
        yield return new Heading(3, "The queue, calls per delivered message");
        var asked = model.Egress.Where(row => row.Queue?.Calls.Total > 0).ToArray();
        if (asked.Length == 0)
            yield return new Paragraph("No calls to a queue were counted.");
        yield return Table.From(
            asked,
            ("users", row => Format.Whole(row.Users)),
            ("send", row => Format.Fixed(row.PerMessage.QueueCalls?.Send, 3)),
            ("receive", row => Format.Fixed(row.PerMessage.QueueCalls?.Receive, 3)),
            ("delete", row => Format.Fixed(row.PerMessage.QueueCalls?.Delete, 3)),
            ("visibility", row => Format.Fixed(row.PerMessage.QueueCalls?.ChangeVisibility, 3)),
            ("other", row => Format.Fixed(row.PerMessage.QueueCalls?.Other, 3)),
            ("all", row => Format.Fixed(row.PerMessage.QueueCalls?.Total, 3)),
            ("empty receives in all", row => Format.Whole(row.Queue!.Value.EmptyReceives)),
            ("bytes answered per message", row => Format.Fixed(row.PerMessage.QueueBytesIn, 1)));
    }

    private static IEnumerable<Block> Load(PaperModel model)
    {
        yield return new Heading(3, "Load and cost");
        yield return Table.From(
            model.Load,
            ("users", row => Format.Whole(row.Users)),
            ("arm", row => row.Arm),
            ("connected", row => Format.Percent(row.Connected, 2)),
            ("connect, ms", row => Format.Short(row.ConnectMs)),
            ("offered/s", row => row.AskedPerSecond is null ? "all at once" : Format.Short(row.AskedPerSecond)),
            ("reached/s", row => Format.Short(row.ReachedPerSecond)),
            ("lag p99, ms", row => Format.Short(row.LagP99Ms)),
            ("load core", row => Format.Percent(row.LoadCoreShare, 0)),
            ("server CPU, us/message", row => Format.Short(row.ServerCpuUs)),
            ("queue CPU", row => Format.Short(row.QueueCpuUs)),
            ("load CPU", row => Format.Short(row.LoadCpuUs)),
            ("idle servers, ms", row => Format.Short(row.IdleCpuMs)));
        yield return new Paragraph(
            "Reached is the number of delivered messages over the sum of the iterations' burstUs, which ends when the runner has seen the "
                + "last arrival. CPU is per delivered message, over the burst. Lag and load core are of the worst iteration; a burst below "
                + "100 ms is too short to measure the load of the core.");
    }
}
