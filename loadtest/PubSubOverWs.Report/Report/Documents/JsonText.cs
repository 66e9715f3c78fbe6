namespace PubSubOverWs.Report.Documents;

/// <summary>How reports are written as JSON.</summary>
internal static class JsonText
{
    public static JsonSerializerOptions Options { get; } =
        new(JsonStyle.Written) { Converters = { new Number(), new JsonStringEnumConverter(JsonNamingPolicy.KebabCaseLower) } };

    /// <summary>
    /// Ten digits: more than any reading carries, and few enough to hide that mathematical libraries differ in the last bits. Values that
    /// are not finite are null, because JSON has no other word.
    /// </summary>
    private sealed class Number : JsonConverter<double>
    {
        public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.GetDouble();

        public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options)
        {
            if (double.IsFinite(value))
                writer.WriteRawValue(value.ToString("G10", CultureInfo.InvariantCulture));
            else
                writer.WriteNullValue();
        }
    }
}

/// <summary>Blocks as Markdown. Line ends are \n on every system.</summary>
internal static class MarkdownText
{
    /// <param name="blocks">In their order.</param>
    /// <param name="mark">Added to every heading without an id.</param>
    /// <returns>One blank line between parts, none at the end.</returns>
    public static string Write(IEnumerable<Block> blocks, string mark = "") =>
        string.Concat(blocks.SelectMany(block => Lines(block, mark)).Select(line => line + "\n")).TrimEnd('\n') + "\n";

    private static IEnumerable<string> Lines(Block block, string mark) => block switch
    {
        Heading { Id: null } heading => [$"{new string('#', heading.Level)} {heading.Text}{mark}", ""],
        // A mark would change its anchor, which is its text in small letters.
        Heading heading => [$"{new string('#', heading.Level)} {heading.Text}", ""],
        Paragraph paragraph => [paragraph.Text, ""],
        BulletList list => [.. list.Items.Select(item => $"- {item}"), ""],
        Table { Rows.Count: > 0 } table =>
            [Row(table.Columns), Row(table.Columns.Select(_ => "---")), .. table.Rows.Select(Row), ""],
        _ => [],
    };

    private static string Row(IEnumerable<string> cells) =>
        $"| {string.Join(" | ", cells.Select(cell => cell.Replace("|", "\\|", StringComparison.Ordinal)))} |";
}
