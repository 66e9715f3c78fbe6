using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Documents;

/// <summary>Numbers as text; a dash for a missing one.</summary>
internal static class Format
{
    public const string None = "–";

    public static string Whole(long value) => value.ToString(CultureInfo.InvariantCulture);

    /// <summary>At most four significant digits: 1.234, 123.4, 12350.</summary>
    public static string Fixed(double? value, int digits)
    {
        if (value is not { } number || !double.IsFinite(number))
            return None;
        var decimals = Math.Min(digits, Decimals(number));
        // Rounding may add a digit: 9.9999 is 10.00.
        if (decimals > 0 && Decimals(Math.Round(number, decimals)) < decimals)
            decimals--;
        return decimals >= 0
            ? number.ToString($"F{decimals}", CultureInfo.InvariantCulture)
            : (Math.Round(number / Math.Pow(10, -decimals)) * Math.Pow(10, -decimals)).ToString("F0", CultureInfo.InvariantCulture);
    }

    /// <summary>Three significant digits, four where the number is large: 0.0123, 1.23, 12.3, 1234, 12350.</summary>
    public static string Short(double? value) => value is not { } number || !double.IsFinite(number)
        ? None
        : Math.Abs(number) switch
        {
            0 => "0",
            >= 99.95 => Fixed(number, 0),
            >= 9.995 => Fixed(number, 1),
            >= 1 => Fixed(number, 2),
            >= 0.001 => Fixed(number, 4),
            _ => number.ToString("0.##e0", CultureInfo.InvariantCulture),
        };

    /// <summary>Four significant digits: 0.9917, 1.004, 12.34.</summary>
    public static string Ratio(double? value) => Fixed(value, 4);

    public static string Percent(double? share, int digits) => share is null ? None : Fixed(share * 100, digits) + " %";

    public static string P(double? p) => PText.Text(p);

    public static string P(RankTest? test) => PText.Text(test);

    /// <summary>For example <c>1 block</c>, <c>5 blocks</c>.</summary>
    public static string Count(long count, string what) => $"{Whole(count)} {what}{(count == 1 ? "" : "s")}";

    public static string Range(Interval? interval, Func<double?, string> number) =>
        interval is { } ends ? $"{number(ends.Low)} to {number(ends.High)}" : None;

    /// <summary>mean (standard deviation).</summary>
    public static string MeanSd(Moments moments) => moments.Count switch
    {
        0 => None,
        1 => Short(moments.Mean),
        // Such as no loss in any iteration.
        _ when moments is { Mean: 0, Variance: 0 } => "0",
        _ => $"{Short(moments.Mean)} ({Short(moments.StandardDeviation)})",
    };

    /// <summary>The lowest and the highest, or one of them if both have the same text.</summary>
    public static string Span(IEnumerable<double> values, Func<double?, string> number)
    {
        var all = values.ToArray();
        var low = number(all.Min());
        var high = number(all.Max());
        return low == high ? low : $"{low} to {high}";
    }

    public static string Utc(DateTimeOffset? time) =>
        time?.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture) ?? None;

    // Below 0 where digits before the point are rounded, too.
    private static int Decimals(double number) => number == 0 ? 15 : Math.Min(15, 3 - (int)Math.Floor(Math.Log10(Math.Abs(number))));
}

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
