using PubSubOverWs.Experiment.Experiments.Published;
using PubSubOverWs.Experiment.Reports.Rows;

namespace PubSubOverWs.Experiment.Experiments.Replication;

/// <summary>What a run could have seen, and what its ratios describe: said beside what it saw.</summary>
internal static class PowerText
{
    // From here on most of what an arm's latency is made of is the load generator's.
    private const double MostlyFloor = 0.5;

    public static IEnumerable<string> Of(PaperModel model)
    {
        var known = (model.Resolved ?? []).Where(row => row.Detectable is not null).ToArray();
        if (known.Length > 0)
            yield return Detectable(model, known);
        if (Floor(model) is { Length: > 0 } floor)
            yield return floor;
    }

    private static string Detectable(PaperModel model, Resolution[] known)
    {
        var (unit, least) = (model.Latency.Rows.Any(row => row.Measured.IsByBlocks) ? "blocks" : "iterations",
            known.Min(row => row.Detectable!.Value));
        double[] claimed = [.. model.Latency.Rows.Select(row => row.Published).OfType<PublishedRow>().Where(row => row.Significant)
            .Select(row => Math.Abs(row.Ratio - 1))];
        var power =
            $"Four times in five the test of {unit} tells a ratio of mean latencies from 1 (at 0.05, before Holm's correction, with the "
                + "scatter of this run) when it is off by "
                + $"{Format.Span(known.Select(row => row.Detectable!.Value), value => Format.Percent(value, 1))}, by level";
        if (claimed.Length == 0)
            return $"{power}.";
        var published = Format.Span(claimed, value => Format.Percent(value, 1));
        var reach = least > claimed.Max() ? "was out of reach at every level"
            : least > claimed.Min() ? "was out of reach at some levels"
            : "could have been seen at the best of them";
        return $"{power}: the published {published} {reach}.";
    }

    private static string Floor(PaperModel model)
    {
        var rows = model.WithoutFloor.Where(row => row.FirstShare >= MostlyFloor).ToArray();
        return rows.Length == 0
            ? ""
            : $"Of {model.Compared.First}'s mean latency the floor of the set-up, a null echo, is "
                + $"{string.Join(", ", rows.Select(row => $"{Format.Percent(row.FirstShare, 0)} at {Format.Whole(row.Users)} users"))}: "
            + "there R describes the load generator more than the servers, and stands without the floor beside it.";
    }
}
