namespace PubSubOverWs.Report.Documents;

/// <summary>The frame of a drawing with two axes.</summary>
internal static class Axes
{
    public const double Left = 46;
    public const double Right = Svg.Width - 16;
    public const double Top = 24;
    public const double Bottom = 210;
    public const double Height = 250;

    /// <param name="x">Along the bottom.</param>
    /// <param name="y">Along the left side.</param>
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
