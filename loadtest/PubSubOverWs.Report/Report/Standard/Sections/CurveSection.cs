using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Sections;

/// <summary>Percentiles over all messages of a level, where the record has the distributions.</summary>
internal static class CurveSection
{
    /// <summary>The headings of <see cref="Row"/>.</summary>
    public static readonly IReadOnlyList<string> Columns =
        ["users", "arm", "messages", .. CurveBuilder.Percents.SelectMany(percent => new[] { Percentile.NameOf(percent), "95 %" }), "max"];

    public static IEnumerable<Block> Of(IReadOnlyList<LatencyRow> rows)
    {
        var known = rows.Where(row => row.Curve is not null).ToArray();
        if (known.Length == 0)
            yield break;
        yield return new Heading(3, "Percentiles over all messages of a level (ms)");
        yield return new Table(Columns, [.. known.Select(Row)]);
        yield return new Paragraph(
            "From the merged histograms of all iterations; values are exact to 1 in 1,000, and the largest is exact. A percentile needs "
                + "ten or more messages above it. Intervals are by bootstrap: 2,000 resamples of iterations, "
                + "never of messages. Exploratory.");
    }

    /// <param name="row">With a curve.</param>
    public static IReadOnlyList<string> Row(LatencyRow row) =>
    [
        Format.Whole(row.Users),
        row.Arm,
        Format.Whole(row.Curve!.Messages),
        .. CurveBuilder.Percents.Select(percent => row.Curve.Percentiles.FirstOrDefault(one => one.Percent == percent))
            .SelectMany(one => new[] { Format.Short(one?.Ms), Format.Range(one?.Ms95, Format.Short) }),
        Format.Short(row.Max),
    ];
}
