using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Formats;
using static PubSubOverWs.Experiment.Formats.Csv;

namespace PubSubOverWs.Experiment.Records;

internal static class LatencyCsv
{
    public static IEnumerable<(string Column, string Text)> Cells(LatencySummary summary, string from) =>
    [
        ($"{from}Count", Text(summary.Count)),
        ($"{from}MeanUs", Text(summary.Mean)),
        ($"{from}SdUs", Text(summary.StandardDeviation)),
        ($"{from}RestrictedMeanUs", Text(summary.RestrictedMean)),
        ($"{from}P50Us", Text(summary.P50)),
        ($"{from}P90Us", Text(summary.P90)),
        ($"{from}P99Us", Text(summary.P99)),
        ($"{from}MaxUs", Text(summary.Max)),
        ($"{from}MinUs", Text(summary.Min)),
    ];

    public static LatencySummary Parse(CsvRow row, string from) => new()
    {
        Count = row.Count($"{from}Count"),
        Mean = row.OptionalDouble($"{from}MeanUs"),
        StandardDeviation = row.OptionalDouble($"{from}SdUs"),
        RestrictedMean = row.OptionalDouble($"{from}RestrictedMeanUs"),
        P50 = row.OptionalDouble($"{from}P50Us"),
        P90 = row.OptionalDouble($"{from}P90Us"),
        P99 = row.OptionalDouble($"{from}P99Us"),
        Max = row.OptionalDouble($"{from}MaxUs"),
        Min = row.OptionalDouble($"{from}MinUs"),
    };
}
