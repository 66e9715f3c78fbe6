using System.Xml.Linq;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Reports.Figures;

/// <summary>Samples of marks for the legend of a figure, each 16 wide and 12 high.</summary>
internal static class Key
{
    public static (XElement Mark, string Text) Direct => Of(Arms.Direct, "direct");

    public static (XElement Mark, string Text) PubSub => Of(Arms.PubSub, "pubsub");

    public static (XElement Mark, string Text) Of(string kind, string text, string style = "") => (Svg.Mark(kind, 8, 6, 4, style), text);

    public static (XElement Mark, string Text) Box(string style, string text) => (Svg.Rectangle(0, 0, 16, 12, style), text);
}
