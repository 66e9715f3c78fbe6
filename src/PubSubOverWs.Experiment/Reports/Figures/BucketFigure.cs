using System.Xml.Linq;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Reports.Rows;

namespace PubSubOverWs.Experiment.Reports.Figures;

/// <summary>Where the messages ended: a bar for each arm and level.</summary>
internal static class BucketFigure
{
    private const double Row = 19;
    private const double BarLeft = 104;
    private const double BarWidth = 158;

    // What a longer name than those of most arms takes of the bar.
    private const double FurtherLeft = 32;

    // Less could not be seen, and one lost message must be.
    private const double LeastWidth = 2;

    private static readonly (string Name, Func<Buckets, long> Count)[] Kinds =
    [
        ("delivered", buckets => buckets.Delivered),
        ("late", buckets => buckets.Late),
        ("refused", buckets => buckets.Refused),
        ("dead-lettered", buckets => buckets.DeadLettered),
        ("still-queued", buckets => buckets.StillQueued),
        ("lost-acknowledged", buckets => buckets.LostAcknowledged),
        ("lost-unacknowledged", buckets => buckets.LostUnacknowledged),
    ];

    /// <param name="rows">At least one.</param>
    public static Figure Draw(IReadOnlyList<LossRow> rows) => new(
        "buckets",
        "Where the messages ended",
        "Each bar is all messages of an arm at a level. What is there at all is at least 2 units wide, so that one message in a million "
            + "is seen; the share of such a part is smaller than it looks.",
        [.. Kinds.Select(kind => Key.Box($"bucket {kind.Name}", kind.Name.Replace('-', ' ')))],
        [Drawing(rows)],
        [new FigureTable("Where the messages ended (messages)", ["users", "arm", "attempts",
            .. Kinds.Select(kind => kind.Name.Replace('-', ' '))], [.. rows.Select(row => (IReadOnlyList<string>)
            [Format.Whole(row.Users), row.Arm, Format.Whole(row.Buckets.Attempts),
                .. Kinds.Select(kind => Format.Whole(kind.Count(row.Buckets)))])])]);

    private static XElement Drawing(IReadOnlyList<LossRow> rows) => Svg.Drawing(
        "buckets-drawing",
        "Where the messages ended",
        string.Join(
            "; ",
            rows.Select(row =>
                $"{row.Arm} at {Format.Whole(row.Users)} users: {Format.Whole(row.Buckets.Lost)} of {Format.Whole(row.Buckets.Attempts)} "
                    + "not "
                    + "delivered in time")),
        (rows.Count * Row) + 4,
        new XElement("defs", Kinds.Select(kind => kind.Name).Select(Hatching.Of)),
        rows.Select((row, i) => Bar(row, i * Row, rows.Any(one => Key.IsLong(one.Arm)) ? FurtherLeft : 0)));

    private static IEnumerable<XElement> Bar(LossRow row, double top, double further)
    {
        var (barLeft, barWidth) = (BarLeft + further, BarWidth - further);
        yield return Svg.Text(barLeft - 6, top + 14, $"{Format.Whole(row.Users)} {row.Arm}", "end");
        var parts = Kinds.Select(kind => (kind.Name, Count: kind.Count(row.Buckets))).Where(part => part.Count > 0).ToArray();
        var widths = parts.Select(part => Math.Max(LeastWidth, barWidth * part.Count / row.Buckets.Attempts)).ToArray();
        // What the small parts were given, the large ones lose.
        var shrink = barWidth / Math.Max(barWidth, widths.Sum());
        var left = barLeft;
        foreach (var (part, width) in parts.Zip(widths))
        {
            yield return Svg.Rectangle(left, top + 3, width * shrink, Row - 5, $"mark bucket {part.Name}");
            left += width * shrink;
        }

        yield return Svg.Text(
            barLeft + barWidth + 5, top + 14, $"{Format.Whole(row.Buckets.Lost)} of {Format.Whole(row.Buckets.Attempts)} lost", "start");
    }
}
