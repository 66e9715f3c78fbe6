using System.Globalization;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>Numbers as people read them; a dash where there is none.</summary>
internal static class Show
{
    public const string None = "–";

    public static string Whole(long value) => value.ToString(CultureInfo.InvariantCulture);

    public static string Fixed(double? value, int digits) => value is { } number && double.IsFinite(number)
        ? number.ToString($"F{digits}", CultureInfo.InvariantCulture)
        : None;

    /// <summary>Three significant digits and more where the number is large: 0.0123, 1.23, 12.3, 1234.</summary>
    public static string Short(double? value) => value is not { } number || !double.IsFinite(number)
        ? None
        : Math.Abs(number) switch
        {
            0 => "0",
            >= 100 => Fixed(number, 0),
            >= 10 => Fixed(number, 1),
            >= 1 => Fixed(number, 2),
            >= 0.001 => Fixed(number, 4),
            _ => number.ToString("0.##e0", CultureInfo.InvariantCulture),
        };

    /// <summary>A ratio near 1 needs its fourth decimal, a large one does not.</summary>
    public static string Ratio(double? value) => Fixed(value, value < 10 ? 4 : 2);

    public static string Percent(double? share, int digits) => share is null ? None : Fixed(share * 100, digits) + " %";

    public static string P(double? p) => p switch
    {
        null => None,
        0 => "0",
        >= 0.0001 => Fixed(p, 4),
        _ => p.Value.ToString("0.00e0", CultureInfo.InvariantCulture),
    };

    public static string Range(Interval? interval, Func<double?, string> number) =>
        interval is { } ends ? $"{number(ends.Low)} to {number(ends.High)}" : None;

    /// <summary>mean (standard deviation).</summary>
    public static string MeanSd(Moments moments) => moments.Count switch
    {
        0 => None,
        1 => Short(moments.Mean),
        _ => $"{Short(moments.Mean)} ({Short(moments.StandardDeviation)})",
    };

    /// <summary>The lowest and the highest, once where they read alike.</summary>
    public static string Span(IEnumerable<double> values, Func<double?, string> number)
    {
        var all = values.ToArray();
        var (low, high) = (number(all.Min()), number(all.Max()));
        return low == high ? low : $"{low} to {high}";
    }

    public static string Utc(DateTimeOffset? time) => time?.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture) ?? None;
}
