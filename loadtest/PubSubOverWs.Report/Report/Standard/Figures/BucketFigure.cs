using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.Report.Standard.Figures;

/// <summary>Outcomes of messages: a bar for each arm and level.</summary>
internal static class BucketFigure
{
    private const double Row = 19;
    private const double BarLeft = 104;
    private const double BarRight = 262;

    // One lost message must be visible.
    private const double LeastWidth = 2;

    private static readonly (string Name, Func<Buckets, long> Count)[] Kinds =
        [.. Enum.GetValues<Outcome>().Select(outcome => (Kebab.Text(outcome), (Func<Buckets, long>)(buckets => buckets[outcome])))];

    /// <param name="rows">At least one.</param>
    public static Figure Draw(IReadOnlyList<LossRow> rows) => new(
        "buckets",
        "Outcomes of messages",
        "Each bar shows all messages of an arm at a level. Every outcome that occurred is at least 2 units wide, so that one message in a "
            + "million is visible; its share is smaller than it looks.",
        [.. Kinds.Select(kind => Key.Box($"bucket {kind.Name}", kind.Name.Replace('-', ' ')))],
        [Drawing(rows)],
        [new FigureTable(
            "Outcomes of messages (messages)", ["users", "arm", "attempts", .. Kinds.Select(kind => kind.Name.Replace('-', ' '))],
            [.. rows.Select(row => (IReadOnlyList<string>)[$"{row.Users}", row.Arm, $"{row.Buckets.Attempts}",
                .. Kinds.Select(kind => $"{kind.Count(row.Buckets)}")])])]);

    private static XElement Drawing(IReadOnlyList<LossRow> rows)
    {
        var barLeft = Key.LeftOf(rows.Select(Text), BarLeft);
        return Svg.Drawing(
            "buckets-drawing", "Outcomes of messages",
            string.Join("; ", rows.Select(row =>
                $"{row.Arm} at {row.Users} users: {row.Buckets.Lost} of {row.Buckets.Attempts} not delivered in time")),
            (rows.Count * Row) + 4,
            new XElement("defs", Kinds.Select(kind => kind.Name).Select(Hatching.From)),
            rows.Select((row, i) => Bar(row, i * Row, barLeft)));
    }

    private static string Text(LossRow row) => $"{row.Users} {row.Arm}";

    private static IEnumerable<XElement> Bar(LossRow row, double top, double barLeft)
    {
        var barWidth = BarRight - barLeft;
        yield return Svg.Text(barLeft - 6, top + 14, Text(row), "end");
        var parts = Kinds.Select(kind => (kind.Name, Count: kind.Count(row.Buckets))).Where(part => part.Count > 0).ToArray();
        var widths = parts.Select(part => Math.Max(LeastWidth, barWidth * part.Count / row.Buckets.Attempts)).ToArray();
        // The large parts lose what the small ones were given.
        var shrink = barWidth / Math.Max(barWidth, widths.Sum());
        var left = barLeft;
        foreach (var (part, width) in parts.Zip(widths))
        {
            yield return Svg.Rectangle(left, top + 3, width * shrink, Row - 5, $"mark bucket {part.Name}");
            left += width * shrink;
        }

        yield return Svg.Text(BarRight + 5, top + 14, $"{row.Buckets.Lost} of {row.Buckets.Attempts} lost", "start");
    }
}
