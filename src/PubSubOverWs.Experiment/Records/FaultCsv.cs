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

/// <summary>Holds faults.csv against the scenario and the rows of iterations.csv.</summary>
internal static class FaultLog
{
    /// <summary>Each row of iterations.csv has one; one without a row is what a kill left, and counts nowhere.</summary>
    /// <exception cref="RecordException">One is missing, there twice, or of another level or block than its row, or foretells more losses
    /// than there were attempts.</exception>
    public static IReadOnlyDictionary<(string Arm, int Iteration), FaultRow> Checked(
        IReadOnlyList<FaultRow> faults, IReadOnlyList<IterationRow> rows)
    {
        var found = new Dictionary<(string, int), FaultRow>();
        var written = faults.ToLookup(fault => (fault.Arm, fault.Iteration));
        foreach (var row in rows)
        {
            var (of, where) = (written[(row.Arm, row.Iteration)].ToArray(), $"{row.Arm}, iteration {row.Iteration}");
            if (of is not [var fault])
                throw new RecordException(
                    $"faults.csv {(of.Length == 0 ? "lacks" : "has more than once")} {where}: {RecordException.Mend}.");
            if (fault.Users != row.Users || fault.Block != row.Block || fault.PredictedLost > row.Buckets.Attempts)
                throw new RecordException(
                    $"faults.csv has other users, another block or more losses than attempts for {where}: {RecordException.Mend}.");
            found[(row.Arm, row.Iteration)] = fault;
        }

        return found;
    }
}
