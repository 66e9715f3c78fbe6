using System.Xml.Linq;

namespace PubSubOverWs.Experiment.Documents;

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
