using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Predictions;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Results;

/// <summary>
/// The runs under a fault that stand in one table: whether pubsub loses less is asked of each, and with enough of them one says so by
/// chance.
/// </summary>
public static class FaultFamily
{
    /// <summary>
    /// Each p after Holm's correction over the rows that were tested, with the word that it leaves; null: the row was not tested.
    /// </summary>
    public static IReadOnlyList<(double P, LessLossWord Word)?> Adjust(IReadOnlyList<LessLoss> rows) =>
        [.. Holm.Adjust([.. rows.Select(row => row.P)])
            .Zip(rows, (p, row) => p is { } adjusted ? (adjusted, row.WordAt(adjusted)) : ((double, LessLossWord)?)null)];

    /// <summary>The same entries, those under a fault with a sentence on whether pubsub loses less, corrected over all of them.</summary>
    public static IReadOnlyList<RecordEntry> Told(IReadOnlyList<RecordEntry> entries)
    {
        var family = Adjust([.. entries.SelectMany(entry => entry.PubSubLosesLess)]);
        var tested = family.Count(row => row is not null);
        var next = 0;
        return [.. entries.Select(entry => entry.PubSubLosesLess.Count == 0
            ? entry
            : entry with
                { Line = $"{entry.Line} Pubsub loses less (H1b): "
                    + $"{string.Join("; ", entry.PubSubLosesLess.Select(_ => Words(family[next++], tested)))}." })];
    }

    private static string Words((double P, LessLossWord Word)? row, int tested) => row is { } one
        ? $"{Kebab.Of(one.Word).Replace('-', ' ')} (p = {PText.Of(one.P)} by Holm over the {tested} that were tested)"
        : "not testable";
}
