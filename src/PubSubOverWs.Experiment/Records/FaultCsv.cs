using PubSubOverWs.Experiment.Formats;
using static PubSubOverWs.Experiment.Formats.Csv;

namespace PubSubOverWs.Experiment.Records;

/// <summary>faults.csv: every column of a row, written and read by name.</summary>
internal static class FaultCsv
{
    private static readonly (string Column, Func<FaultRow, string> Text)[] Columns =
    [
        ("arm", row => row.Arm),
        ("users", row => Text(row.Users)),
        ("block", row => Text(row.Block)),
        ("iteration", row => Text(row.Iteration)),
        ("deeds", row => Text(row.Deeds)),
        ("subscriberWindows", row => Text(row.SubscriberWindows)),
        ("subscriberAwayMeanUs", row => Text(row.SubscriberAwayMean)),
        ("subscriberAwayMaxUs", row => Text(row.SubscriberAwayMax)),
        ("publisherWindows", row => Text(row.PublisherWindows)),
        ("publisherAwayMeanUs", row => Text(row.PublisherAwayMean)),
        ("neverBack", row => Text(row.NeverBack)),
        ("predictedLost", row => Text(row.PredictedLost)),
        ("republished", row => Text(row.Republished)),
        ("lateWhileAway", row => Text(row.LateWhileAway)),
    ];

    /// <summary>The columns, in order.</summary>
    public static readonly IReadOnlyList<string> Header = [.. Columns.Select(column => column.Column)];

    public static string Line(FaultRow row) => Csv.Line(Columns.Select(column => column.Text(row)));

    public static FaultRow Parse(CsvRow row) => new()
    {
        Arm = row.Text("arm"),
        Users = row.Int("users"),
        Block = row.Int("block"),
        Iteration = row.Int("iteration"),
        Deeds = row.Int("deeds"),
        SubscriberWindows = row.Int("subscriberWindows"),
        SubscriberAwayMean = row.OptionalDuration("subscriberAwayMeanUs"),
        SubscriberAwayMax = row.OptionalDuration("subscriberAwayMaxUs"),
        PublisherWindows = row.Int("publisherWindows"),
        PublisherAwayMean = row.OptionalDuration("publisherAwayMeanUs"),
        NeverBack = row.Int("neverBack"),
        PredictedLost = row.Count("predictedLost"),
        Republished = row.Count("republished"),
        LateWhileAway = row.Int("lateWhileAway"),
    };
}
