using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>The power of a run and the meaning of its ratios, said beside its results.</summary>
internal static class PowerText
{
    // From here on the load alone takes at least half of what an arm takes.
    private const double Mostly = 0.5;

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
            $"With a power of 80 % the test of {unit} (at 0.05, before Holm's correction, with the scatter of this run) detects a ratio of "
                + "mean latencies that differs from 1 by "
                + $"{Format.Span(known.Select(row => row.Detectable!.Value), value => Format.Percent(value, 1))}, depending on the level";
        if (claimed.Length == 0)
            return $"{power}.";
        var published = Format.Span(claimed, value => Format.Percent(value, 1));
        var reach = least > claimed.Max() ? "was out of reach at every level"
            : least > claimed.Min() ? "was out of reach at some levels"
            : "was within reach at the best of them";
        return $"{power}: the published {published} {reach}.";
    }

    private static string Floor(PaperModel model)
    {
        var shares = model.Floor.Where(row => row.OfFirst >= Mostly).ToArray();
        return shares.Length == 0
            ? ""
            : $"A null echo, which is the load without a server's work, took "
                + $"{string.Join(", ", shares.Select(row => $"{Format.Percent(row.OfFirst, 0)} of {model.Compared.First}'s mean latency at "
                    + $"{Format.Whole(row.Users)} users"))}. There R says more about the load than about the servers.";
    }
}
