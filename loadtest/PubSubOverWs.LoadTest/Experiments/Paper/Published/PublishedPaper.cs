namespace PubSubOverWs.LoadTest.Experiments.Paper.Published;

/// <summary>Every figure of the replicated paper, at printed precision: the embedded results/published/paper.json.</summary>
public sealed record PublishedPaper
{
    public required string Citation { get; init; }

    /// <summary>Per group and level.</summary>
    public required int Iterations { get; init; }

    public required IReadOnlyList<PublishedLoss> Loss { get; init; }

    /// <summary>Messages lost per iteration.</summary>
    public required IReadOnlyList<PublishedRow> LostMessages { get; init; }

    /// <summary>ms.</summary>
    public required IReadOnlyList<PublishedRow> Latency { get; init; }

    /// <summary>Kbps.</summary>
    public required IReadOnlyList<PublishedRow> BandwidthOut { get; init; }

    public static PublishedPaper Load()
    {
        var root = PublishedFigures.Read("paper");
        return new PublishedPaper
        {
            Citation = root.GetProperty("citation").GetString()!,
            Iterations = root.GetProperty("design").GetProperty("iterations").GetInt32(),
            Loss = Rows<PublishedLoss>(root, "table1_loss"),
            LostMessages = Rows<PublishedRow>(root, "table2_lostMessages"),
            Latency = Rows<PublishedRow>(root, "table3_latency"),
            BandwidthOut = Rows<PublishedRow>(root, "table4_bandwidthOut"),
        };
    }

    private static IReadOnlyList<T> Rows<T>(JsonElement root, string table) =>
        root.GetProperty(table).GetProperty("rows").To<IReadOnlyList<T>>();
}

/// <summary>One row of Table I, in percent of sent messages.</summary>
public sealed record PublishedLoss(int Users, PublishedShare Direct, [property: JsonPropertyName("pubsub")] PublishedShare PubSub);

/// <summary>Printed percentages; they need not add up to 100.</summary>
public sealed record PublishedShare(double Success, double Loss);

/// <summary>One row of Table II, III or IV.</summary>
/// <param name="Direct">Group 1.</param>
/// <param name="PubSub">Group 2.</param>
/// <param name="P">The printed p; null: <paramref name="PText"/> has what is printed instead.</param>
/// <param name="PText">For example <c>&lt; 0.05</c>.</param>
public sealed record PublishedRow(
    int Users, PublishedArm Direct, [property: JsonPropertyName("pubsub")] PublishedArm PubSub, Printed? P, string? PText)
{
    /// <summary>pubsub/direct of the printed means.</summary>
    public double Ratio => PubSub.Mean.Value / Direct.Mean.Value;

    /// <summary>At the paper's alpha of 0.05.</summary>
    public bool Significant => P is { } p ? p.Value < 0.05 : PText == "< 0.05";
}

/// <summary>A printed mean and standard deviation.</summary>
public sealed record PublishedArm(Printed Mean, Printed Sd)
{
    public Moments Moments(int count) => Report.Statistics.Moments.Printed(count, Mean.Value, Sd.Value);
}

/// <summary>Errata and other notes on the paper's figures: the embedded results/published/notes.json.</summary>
public static class PaperNotes
{
    /// <summary>One paragraph each.</summary>
    public static IReadOnlyList<string> Load() => PublishedFigures.Read("notes").GetProperty("notes").To<string[]>();
}

/// <summary>A number as printed; its digits bound the rounding.</summary>
/// <param name="HalfUnit">Half a unit of its last digit.</param>
[JsonConverter(typeof(Json))]
public readonly record struct Printed(string Text, double Value, double HalfUnit)
{
    public double Low => Value - HalfUnit;

    public double High => Value + HalfUnit;

    /// <param name="text">For example <c>300.20</c> or <c>2.21e-7</c>.</param>
    public static Printed Parse(string text)
    {
        var parts = text.Split('e', 'E');
        var point = parts[0].IndexOf('.', StringComparison.Ordinal);
        var decimals = point < 0 ? 0 : parts[0].Length - point - 1;
        var exponent = parts.Length < 2 ? 0 : int.Parse(parts[1], CultureInfo.InvariantCulture);
        return new Printed(text, double.Parse(text, CultureInfo.InvariantCulture), 0.5 * Math.Pow(10, exponent - decimals));
    }

    private sealed class Json : JsonConverter<Printed>
    {
        public override Printed Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            using var number = JsonDocument.ParseValue(ref reader);
            return Parse(number.RootElement.GetRawText());
        }

        public override void Write(Utf8JsonWriter writer, Printed value, JsonSerializerOptions options) => writer.WriteRawValue(value.Text);
    }
}
