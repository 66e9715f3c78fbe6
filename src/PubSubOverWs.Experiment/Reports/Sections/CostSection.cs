using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports.Rows;

namespace PubSubOverWs.Experiment.Reports.Sections;

/// <summary>What is shown and never judged: the shape of latency, the floor, egress, the queue, the load.</summary>
internal static class CostSection
{
    public static void Write(IReportText text, ReportModel model)
    {
        text.Heading(2, "Shown, not judged");
        Latency(text, model);
        Egress(text, model);
        Load(text, model);
    }

    private static void Latency(IReportText text, ReportModel model)
    {
        text.Heading(3, "The shape of latency (ms)");
        text.Table(
            ["users", "arm", "mean", "restricted mean", "p50", "p90", "p99", "max", "mean from due"],
            model.LatencyShapes.Select(row => (IReadOnlyList<string>)
            [
                Format.Whole(row.Users), row.Arm, Format.Short(row.Mean), Format.Short(row.RestrictedMean), Format.Short(row.P50),
                Format.Short(row.P90), Format.Short(row.P99), Format.Short(row.Max), Format.Short(row.MeanFromDue),
            ]));
        text.Paragraph(
            "The restricted mean counts what was lost at the deadline. Percentiles are medians over iterations of each iteration's own, "
                + "only where it has samples enough (p99 from 1,000).");
        CurveSection.Write(text, model.LatencyShapes);
        text.Heading(3, "The floor of the set-up (ms)");
        if (model.Floor.Count == 0)
            text.Paragraph("Not measured.");
        text.Table(
            ["users", "n", "null echo, mean", "lowest", "highest"],
            model.Floor.Select(row => (IReadOnlyList<string>)
                [Format.Whole(row.Users), Format.Whole(row.Iterations), Format.Short(row.Mean), Format.Short(row.Lowest),
                    Format.Short(row.Highest)]));
        if (model.Floor.Count > 0)
            text.Paragraph(
                "The same load against a null echo, which only sends back what comes: what lies below it is the set-up's, not a server's.");
        if (model.WithoutFloor.Count == 0)
            return;
        text.Heading(3, "R without the floor");
        text.Table(
            ["users", "floor, ms", $"floor in {model.Compared.First}'s mean", $"floor in {model.Compared.Second}'s mean", "R",
                "R without the floor", "95 %, by blocks"],
            model.WithoutFloor.Select(row => (IReadOnlyList<string>)
            [
                Format.Whole(row.Users), Format.Short(row.FloorMs), Format.Percent(row.FirstShare, 1), Format.Percent(row.SecondShare, 1),
                Format.Ratio(model.Latency.Rows.First(one => one.Measured.Users == row.Users).Measured.Ratio), Format.Ratio(row.Ratio),
                Format.Range(row.Ratio95, Format.Ratio),
            ]));
        text.Paragraph(
            "Floor and arms by block. Where the floor is most of a mean, R describes the load generator and not the servers: without it "
                + "R is larger, and has no interval where the first arm is not clear of the floor. It takes the floor to add to a "
                + "server's own time, which queueing on one machine need not do: shown, not judged.");
    }

    private static void Egress(IReportText text, ReportModel model)
    {
        text.Heading(3, "Egress, bytes per delivered message");
        text.Table(
            ["users", "arm", "payload", "STOMP", "WebSocket", "to clients", "to the queue", "of which send", "receive", "delete",
                "visibility", "other", "all"],
            model.Egress.Select(row => (IReadOnlyList<string>)
            [
                Format.Whole(row.Users), row.Arm,
                .. Bytes(row.PerMessage.Payload, row.PerMessage.Stomp, row.PerMessage.WebSocket, row.PerMessage.Clients),
                .. Queue(row.PerMessage.QueueBytesOut), Format.Fixed(row.PerMessage.BytesOut, 1),
            ]));
        text.Heading(3, "The queue, calls per delivered message");
        text.Table(
            ["users", "send", "receive", "delete", "visibility", "other", "all", "empty receives in all", "bytes answered per message"],
            model.Egress.Where(row => row.Queue?.Calls.Total > 0).Select(row => Calls(row, row.Queue!.Value)));
    }

    private static IReadOnlyList<string> Calls(EgressRow row, QueueTraffic queue) =>
    [
        Format.Whole(row.Users),
        .. new[] { row.PerMessage.QueueCalls?.Send, row.PerMessage.QueueCalls?.Receive, row.PerMessage.QueueCalls?.Delete,
            row.PerMessage.QueueCalls?.ChangeVisibility, row.PerMessage.QueueCalls?.Other, row.PerMessage.QueueCalls?.Total }
            .Select(calls => Format.Fixed(calls, 3)),
        Format.Whole(queue.EmptyReceives),
        Format.Fixed(row.PerMessage.QueueBytesIn, 1),
    ];

    private static void Load(IReportText text, ReportModel model)
    {
        text.Heading(3, "The load, and what it cost");
        text.Table(
            ["users", "arm", "connected", "connect, ms", "asked/s", "reached/s", "lag p99, ms", "load core", "server CPU, us/message",
                "queue CPU", "load CPU", "idle servers, ms"],
            model.Load.Select(row => (IReadOnlyList<string>)
            [
                Format.Whole(row.Users), row.Arm, Format.Percent(row.Connected, 2), Format.Short(row.ConnectMs),
                row.AskedPerSecond is null ? "all at once" : Format.Short(row.AskedPerSecond), Format.Short(row.ReachedPerSecond),
                Format.Short(row.LagP99Ms),
                Format.Percent(row.LoadCoreShare, 0), Format.Short(row.ServerCpuUs), Format.Short(row.QueueCpuUs),
                Format.Short(row.LoadCpuUs),
                Format.Short(row.IdleCpuMs),
            ]));
        text.Paragraph(
            "Reached is all that was delivered over the sum of the iterations' burstUs, which ends when the runner has seen the last "
                + "arrival. CPU is per delivered message, over the burst. Lag and load core are of the worst iteration; a burst below "
                + "100 ms is too short to tell how busy the core was.");
    }

    private static IEnumerable<string> Bytes(params double?[] bytes) => bytes.Select(one => Format.Fixed(one, 1));

    private static IEnumerable<string> Queue(QueuePerMessage? bytes) =>
        Bytes(bytes?.Total, bytes?.Send, bytes?.Receive, bytes?.Delete, bytes?.ChangeVisibility, bytes?.Other);
}
