namespace PubSubOverWs.Report.Documents;

/// <summary>The parts of a drawing. Colours are classes of the page; what differs by colour differs by shape as well.</summary>
internal static class Svg
{
    /// <summary>Every drawing is this wide, so that its text is as large as that of the others.</summary>
    public const double Width = 400;

    /// <param name="id">Unique in the page.</param>
    /// <param name="title">Its subject.</param>
    /// <param name="description">The content in words and numbers.</param>
    /// <param name="height">In units of which <see cref="Width"/> go side by side.</param>
    /// <param name="content">The drawing.</param>
    public static XElement Drawing(string id, string title, string description, double height, params object?[] content) => new(
        "svg",
        new XAttribute("id", id),
        new XAttribute("class", "drawing"),
        new XAttribute("viewBox", $"0 0 {Number(Width)} {Number(height)}"),
        new XAttribute("role", "img"),
        new XAttribute("aria-labelledby", $"{id}-title {id}-desc"),
        new XElement("title", new XAttribute("id", $"{id}-title"), PlainText.Of(title)),
        new XElement("desc", new XAttribute("id", $"{id}-desc"), PlainText.Of(description)),
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
        PlainText.Of(text));

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
    public static XElement Of(string bucket) => new(
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
