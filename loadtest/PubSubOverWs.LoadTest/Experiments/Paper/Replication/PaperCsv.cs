using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>report.csv: the tables of report.json as one long table, a value in each row.</summary>
internal sealed class PaperCsv(Contrast compared)
{
    private readonly StringBuilder _text = new("table,users,arm,metric,value,unit\n");

    public static string Write(PaperModel model)
    {
        var csv = new PaperCsv(model.Compared);
        csv.Add("loss", model.Loss, "%");
        csv.Add("lostMessages", model.LostMessages, "messages");
        csv.Add("latency", model.Latency, "ms");
        csv.Add("bytes", model.Bytes, "bytes");
        csv.Add("kbpsOverDeadline", model.KbpsOverDeadline, "Kbps");
        csv.Add("kbpsOverBurst", model.KbpsOverBurst, "Kbps");
        foreach (var row in model.Losses)
            csv.Add(row);
        foreach (var level in model.Fault?.Levels ?? [])
            csv.Add(level);
        foreach (var row in model.LatencyShapes)
            csv.Add("latencyShapes", row.Users, row.Arm, "ms", ("mean", row.Mean), ("restrictedMean", row.RestrictedMean), ("p50", row.P50),
                ("p90", row.P90), ("p99", row.P99), ("max", row.Max), ("meanFromDue", row.MeanFromDue));
        foreach (var row in model.LatencyShapes.Where(row => row.Curve is not null))
            csv.Add(row, row.Curve!);
        foreach (var row in model.Floor)
        {
            csv.Add("floor", row.Users, Arm.Floor.Name, "ms", ("mean", row.Mean), ("lowest", row.Lowest), ("highest", row.Highest));
            csv.Add("floor", row.Users, Arm.Floor.Name, "share", ($"of {model.Compared.First}'s mean", row.OfFirst));
        }
        foreach (var row in model.Resolved ?? [])
            csv.Add("resolved", row.Users, "", "", ("latency", row.Latency), ("detectable", row.Detectable));
        foreach (var row in model.Egress)
            csv.Add("egress", row.Users, row.Arm, "bytes/message", ("toClients", row.PerMessage.Clients),
                ("toQueue", row.PerMessage.QueueBytesOut?.Total), ("total", row.PerMessage.BytesOut));
        foreach (var row in model.Load)
            csv.Add(row);
        return csv._text.ToString();
    }

    private void Add(string name, MetricTable table, string unit)
    {
        foreach (var row in table.Rows)
        {
            var measured = row.Measured;
            var test = row.Measured.Iterations.Test;
            Add(name, measured.Users, compared.First, unit, measured.First,
                row.Published?.Direct.Mean.Value ?? row.PublishedLoss?.Direct.Loss, row.Published?.Direct.Sd.Value);
            Add(name, measured.Users, compared.Second, unit, measured.Second,
                row.Published?.PubSub.Mean.Value ?? row.PublishedLoss?.PubSub.Loss, row.Published?.PubSub.Sd.Value);
            Add(name, measured.Users, "", unit, ("difference95Low", measured.Iterations.Difference95?.Low), ("difference95High",
                measured.Iterations.Difference95?.High),
                ("blockMeansDifference95Low", measured.BlockMeans?.Difference95?.Low),
                ("blockMeansDifference95High", measured.BlockMeans?.Difference95?.High),
                ($"{compared.First}Median", measured.FirstMedian), ($"{compared.Second}Median", measured.SecondMedian));
            Add(name, measured.Users, "", "", ("ratio", measured.Ratio), ("ratio95Low", measured.Iterations.Ratio95?.Low), ("ratio95High",
                measured.Iterations.Ratio95?.High),
                ("t", test?.T), ("degreesOfFreedom", test?.DegreesOfFreedom), ("p", test?.P), ("holmP", measured.Iterations.HolmP),
                ("pooledP", measured.Pooled?.P),
                ("blockMeansRatio95Low", measured.BlockMeans?.Ratio95?.Low), ("blockMeansRatio95High", measured.BlockMeans?.Ratio95?.High),
                ("blockMeansP", measured.BlockMeans?.Test?.P), ("blockMeansHolmP", measured.BlockMeans?.HolmP),
                ($"{compared.First}IntraClass", measured.FirstIntraClass), ($"{compared.Second}IntraClass", measured.SecondIntraClass),
                ("effectiveP", measured.Effective?.Test?.P), ("lagOne", measured.LagOne), ("hedgesG", measured.HedgesG));
            foreach (var (id, verdict) in row.Verdicts)
            {
                Line(name, measured.Users, "", $"verdict {id}", Kebab.Text(verdict.Verdict), "");
                if (verdict.Direction is { } direction)
                    Line(name, measured.Users, "", $"direction {id}", Kebab.Text(direction), "");
                if (verdict.Size is { } size)
                    Line(name, measured.Users, "", $"size {id}", Kebab.Text(size), "");
            }
        }
    }

    private void Add(string table, int users, string arm, string unit, Moments moments, double? publishedMean, double? publishedSd)
    {
        Line(table, users, arm, "count", Format.Whole(moments.Count), "iterations");
        if (moments.Count > 0)
            Add(table, users, arm, unit, ("mean", moments.Mean),
                ("standardDeviation", moments.Count < 2 ? null : moments.StandardDeviation));
        Add(table, users, arm, unit, ("publishedMean", publishedMean), ("publishedSd", publishedSd));
    }

    private void Add(LossRow row)
    {
        var sum = row.Buckets;
        var odd = row.Anomalies;
        Add("losses", row.Users, row.Arm, "messages", ("attempts", sum.Attempts), ("acknowledged", sum.Acknowledged), ("delivered",
            sum.Delivered), ("late", sum.Late), ("refused", sum.Refused),
            ("deadLettered", sum.DeadLettered), ("stillQueued", sum.StillQueued), ("lostAcknowledged", sum.LostAcknowledged),
            ("lostUnacknowledged", sum.LostUnacknowledged),
            ("duplicates", odd.Duplicates), ("reorderings", odd.Reorderings), ("unexpected", odd.Unexpected), ("corrupted", odd.Corrupted));
        Add("losses", row.Users, row.Arm, "iterations", ("iterations", row.Iterations), ("withLoss", row.WithLoss));
    }

    private void Add(FaultLevel level)
    {
        foreach (var arm in level.Arms)
        {
            Add("fault", level.Users, arm.Arm, "messages", ("lost", arm.Lost), ("predictedLost", arm.PredictedLost),
                ("lostAcknowledged", arm.LostAcknowledged), ("republished", arm.Republished), ("duplicates", arm.Duplicates));
            Add("fault", level.Users, arm.Arm, "share", ("endToEndLoss", arm.EndToEndLoss), ("lostOfPredicted", arm.LostOfPredicted),
                ("closedForm", arm.ClosedForm), ("guaranteeLoss", arm.GuaranteeLoss));
            Add("fault", level.Users, arm.Arm, "ms", ("subscriberAwayMeanMs", arm.SubscriberAwayMeanMs),
                ("subscriberAwayMaxMs", arm.SubscriberAwayMaxMs), ("publisherAwayMeanMs", arm.PublisherAwayMeanMs));
            Add("fault", level.Users, arm.Arm, "windows", ("subscriberWindows", arm.SubscriberWindows),
                ("publisherWindows", arm.PublisherWindows), ("neverBack", arm.NeverBack));
            Add("fault", level.Users, arm.Arm, "iterations", ("iterations", arm.Iterations), ("notDrained", arm.NotDrained));
        }

        Line("fault", level.Users, "", "outcome", Kebab.Text(level.Outcome.Word), "");
        Add("fault", level.Users, "", "", ("pubsubLosesLessP", level.PubSubLosesLess.P));
        Line("fault", level.Users, "", "pubsubLosesLess", Kebab.Text(level.PubSubLosesLess.Word), "");
    }

    private void Add(LatencyRow row, LatencyCurve curve)
    {
        Add("latencyCurves", row.Users, row.Arm, "messages", ("messages", curve.Messages));
        foreach (var one in curve.Percentiles)
            Add("latencyCurves", row.Users, row.Arm, "ms", (one.Name, one.Ms), ($"{one.Name} 95Low", one.Ms95?.Low),
                ($"{one.Name} 95High", one.Ms95?.High));
    }

    private void Add(LoadRow row)
    {
        Add("load", row.Users, row.Arm, "share", ("connected", row.Connected), ("loadCoreShare", row.LoadCoreShare));
        Add("load", row.Users, row.Arm, "ms", ("connectMs", row.ConnectMs), ("lagP99Ms", row.LagP99Ms), ("idleCpuMs", row.IdleCpuMs));
        Add("load", row.Users, row.Arm, "messages/s", ("askedPerSecond", row.AskedPerSecond), ("reachedPerSecond", row.ReachedPerSecond));
        Add("load", row.Users, row.Arm, "us/message", ("serverCpuUs", row.ServerCpuUs), ("queueCpuUs", row.QueueCpuUs),
            ("loadCpuUs", row.LoadCpuUs));
    }

    // Missing values are omitted: a spreadsheet would read an empty cell as 0. Ten digits, as in report.json.
    private void Add(string table, int users, string arm, string unit, params (string Metric, double? Value)[] values)
    {
        foreach (var (metric, value) in values)
        {
            if (value is { } number && double.IsFinite(number))
                Line(table, users, arm, metric, number.ToString("G10", CultureInfo.InvariantCulture), unit);
        }
    }

    private void Line(string table, int users, string arm, string metric, string value, string unit) =>
        _text.Append(Csv.Line([table, Format.Whole(users), arm, metric, value, unit])).Append('\n');
}
