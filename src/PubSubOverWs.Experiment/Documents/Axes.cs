using System.Xml.Linq;

namespace PubSubOverWs.Experiment.Documents;

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
    /// <param name="xTitle">What runs along the bottom, with its unit.</param>
    /// <param name="yTitle">What runs along the left side, with its unit.</param>
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
