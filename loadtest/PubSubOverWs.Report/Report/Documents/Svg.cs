namespace PubSubOverWs.Report.Documents;

/// <summary>The parts of a drawing. Colours are classes of the page; what differs by colour differs by shape as well.</summary>
internal static class Svg
{
    /// <summary>Every drawing is this wide, so that its text is as large as that of the others.</summary>
    public const double Width = 400;

    /// <param name="id">Unique in the page.</param>
    /// <param name="height">In units of which <see cref="Width"/> go side by side.</param>
    public static XElement Drawing(string id, string title, string description, double height, params object?[] content) => new(
        "svg",
        new XAttribute("id", id),
        new XAttribute("class", "drawing"),
        new XAttribute("viewBox", $"0 0 {Number(Width)} {Number(height)}"),
        new XAttribute("role", "img"),
        new XAttribute("aria-labelledby", $"{id}-title {id}-desc"),
        new XElement("title", new XAttribute("id", $"{id}-title"), PlainText.From(title)),
        new XElement("desc", new XAttribute("id", $"{id}-desc"), PlainText.From(description)),
        content);

    /// <summary>A tenth of a unit is finer than any screen, and hides that mathematical libraries differ in the last bits.</summary>
    public static string Number(double value) => (Math.Round(value, 1) + 0.0).ToString("0.#", CultureInfo.InvariantCulture);

    public static XElement Line(double x1, double y1, double x2, double y2, string style) => new(
        "line",
        new XAttribute("x1", Number(x1)),
        new XAttribute("y1", Number(y1)),
        new XAttribute("x2", Number(x2)),
        new XAttribute("y2", Number(y2)),
        new XAttribute("class", style));

    public static XElement Rectangle(double x, double y, double width, double height, string style) => new(
        "rect",
        new XAttribute("x", Number(x)),
        new XAttribute("y", Number(y)),
        new XAttribute("width", Number(width)),
        new XAttribute("height", Number(height)),
        new XAttribute("class", style));

    public static XElement Curve(IEnumerable<(double X, double Y)> points, string style) => new(
        "polyline",
        new XAttribute("points", string.Join(' ', points.Select(point => $"{Number(point.X)},{Number(point.Y)}"))),
        new XAttribute("class", style));

    /// <param name="x">Of the anchor.</param>
    /// <param name="y">Of the base line.</param>
    /// <param name="text">Plain.</param>
    /// <param name="anchor">start, middle or end.</param>
    public static XElement Text(double x, double y, string text, string anchor = "middle") => new(
        "text",
        new XAttribute("x", Number(x)),
        new XAttribute("y", Number(y)),
        new XAttribute("text-anchor", anchor),
        PlainText.From(text));

    /// <summary>A reading: a circle for the first arm, a triangle for the second, a diamond for all else.</summary>
    public static XElement Mark(string kind, double x, double y, double radius, string style = "") => kind switch
    {
        ArmStyle.First => new(
            "circle", new XAttribute("cx", Number(x)), new XAttribute("cy", Number(y)), new XAttribute("r", Number(radius)),
            Style(kind, style)),
        ArmStyle.Second =>
            Path($"M{Number(x)} {Number(y - (1.3 * radius))}l{Number(1.2 * radius)} {Number(2.1 * radius)}h{Number(-2.4 * radius)}z",
                Style(kind, style)),
        _ =>
            Path($"M{Number(x)} {Number(y - (1.4 * radius))}l{Number(1.4 * radius)} {Number(1.4 * radius)}l{Number(-1.4 * radius)} "
                + $"{Number(1.4 * radius)}l{Number(-1.4 * radius)} {Number(-1.4 * radius)}z", Style(kind, style)),
    };

    private static XElement Path(string path, XAttribute style) => new("path", new XAttribute("d", path), style);

    private static XAttribute Style(string kind, string style) => new("class", style.Length == 0 ? $"mark {kind}" : $"mark {kind} {style}");
}

/// <summary>A pattern for each bucket, so that they can be told apart without colour.</summary>
internal static class Hatching
{
    /// <param name="bucket">Such as <c>late</c>; the page fills what has the class with the pattern <c>hatch-late</c>.</param>
    public static XElement From(string bucket) => new(
        "pattern",
        new XAttribute("id", $"hatch-{bucket}"),
        new XAttribute("width", 6),
        new XAttribute("height", 6),
        new XAttribute("patternUnits", "userSpaceOnUse"),
        Svg.Rectangle(0, 0, 6, 6, $"ground {bucket}"),
        Stroke(bucket) is { } stroke ? new XElement("path", new XAttribute("d", stroke), new XAttribute("class", "hatch")) : null);

    private static string? Stroke(string bucket) => bucket switch
    {
        "late" => "M0 6L6 0",
        "refused" => "M0 3H6",
        "dead-lettered" => "M2 2h2v2h-2z",
        "still-queued" => "M3 0V6",
        "lost-acknowledged" => "M0 0L6 6M0 6L6 0",
        "lost-unacknowledged" => "M0 0L6 6",
        _ => null,
    };
}

/// <summary>The frame of a drawing with two axes.</summary>
internal static class Axes
{
    public const double Left = 46;
    public const double Right = Svg.Width - 16;
    public const double Top = 24;
    public const double Bottom = 210;
    public const double Height = 250;

    /// <param name="xTitle">The bottom axis, with its unit.</param>
    /// <param name="yTitle">The left axis, with its unit.</param>
    /// <param name="xLabel">How a tick of <paramref name="x"/> reads.</param>
    public static IEnumerable<XElement> Draw(Scale x, Scale y, string xTitle, string yTitle, Func<double, string>? xLabel = null)
    {
        foreach (var tick in y.Ticks)
        {
            yield return Svg.Line(Left, y[tick], Right, y[tick], "grid");
            yield return Svg.Text(Left - 5, y[tick] + 4, Scale.Label(tick), "end");
        }

        foreach (var tick in x.Ticks)
        {
            yield return Svg.Line(x[tick], Bottom, x[tick], Bottom + 4, "axis");
            yield return Svg.Text(x[tick], Bottom + 17, (xLabel ?? Scale.Label)(tick));
        }

        yield return Svg.Line(Left, Bottom, Right, Bottom, "axis");
        yield return Svg.Text(Right, Bottom + 34, xTitle, "end");
        yield return Svg.Text(2, 11, yTitle, "start");
    }
}

/// <summary>Maps values to places in a drawing.</summary>
/// <param name="Low">The value at <paramref name="From"/>; above 0 where <paramref name="IsLog"/>.</param>
/// <param name="High">The value at <paramref name="To"/>; above <paramref name="Low"/>.</param>
/// <param name="From">A place, in the units of the drawing.</param>
/// <param name="To">A place; below <paramref name="From"/> where values grow upwards.</param>
/// <param name="IsLog">Equal factors are equally far apart.</param>
/// <param name="Ticks">Values to write at the axis.</param>
internal sealed record Scale(double Low, double High, double From, double To, bool IsLog, IReadOnlyList<double> Ticks)
{
    /// <summary>The place of a value; what lies outside is drawn at the nearer end.</summary>
    public double this[double value]
    {
        get
        {
            var inside = Math.Clamp(value, Low, High);
            var share = IsLog ? Math.Log(inside / Low) / Math.Log(High / Low) : (inside - Low) / (High - Low);
            return From + (share * (To - From));
        }
    }

    /// <summary>From 0 to a round number that holds all values; 0 to 1 where none is above 0.</summary>
    public static Scale Linear(IEnumerable<double> values, double from, double to)
    {
        var most = values.Where(value => value > 0 && double.IsFinite(value)).DefaultIfEmpty(1).Max();
        var step = Step(most);
        var steps = Math.Max(1, (int)Math.Ceiling((most / step) - 1e-9));
        return new Scale(0, steps * step, from, to, false, [.. Enumerable.Range(0, steps + 1).Select(i => i * step)]);
    }

    /// <summary>Whole powers of ten around all values above 0; 1 to 10 where there are none.</summary>
    public static Scale Decades(IEnumerable<double> values, double from, double to)
    {
        var positive = values.Where(value => value > 0 && double.IsFinite(value)).DefaultIfEmpty(1).ToArray();
        var low = (int)Math.Floor(Math.Log10(positive.Min()));
        var high = Math.Max(low + 1, (int)Math.Ceiling(Math.Log10(positive.Max())));
        return new Scale(
            Math.Pow(10, low), Math.Pow(10, high), from, to, true, [.. Enumerable.Range(low, high - low + 1).Select(i => Math.Pow(10, i))]);
    }

    /// <summary>Logarithmic, with a tick at each value and some room at both ends.</summary>
    /// <param name="values">Above 0; at least one.</param>
    /// <param name="from">Where the room before the smallest begins.</param>
    /// <param name="to">Where the room behind the largest ends.</param>
    public static Scale Levels(IReadOnlyCollection<int> values, double from, double to) =>
        new(values.Min() / 1.4, values.Max() * 1.4, from, to, true, [.. values.Order().Select(value => (double)value)]);

    public static string Label(double tick) => tick.ToString("0.#########", CultureInfo.InvariantCulture);

    // 1, 2 or 5 times a power of ten, for about four steps.
    private static double Step(double most)
    {
        var rough = most / 4;
        var power = Math.Pow(10, Math.Floor(Math.Log10(rough)));
        return (rough / power) switch { <= 1 => power, <= 2 => 2 * power, <= 5 => 5 * power, _ => 10 * power };
    }
}
