using System.Globalization;
using System.Text.Json.Nodes;

namespace PubSubOverWs.Tests.Repository;

/// <summary>Rows of committed figures that are no record and have no report.</summary>
internal static class FigureTables
{
    public static IReadOnlyList<ReportRow> Read(string file) =>
        [.. Misbehaving(JsonNode.Parse(SourceTree.Read(file))!).Select(cells => new ReportRow(0, cells))];

    // The median of the pairs' ratios, and their range, by the way to misbehave and the server.
    private static IEnumerable<Dictionary<string, string>> Misbehaving(JsonNode figures) =>
        from server in figures["misbehaving"]!.AsArray()
        from way in server["pairs"]!.AsArray().GroupBy(pair => (string)pair!["what"]!)
        let ratios = way.Select(pair => (double)pair!["beside"]!["p99Milliseconds"]! / (double)pair["without"]!["p99Milliseconds"]!)
            .Order().ToArray()
        let isLean = (string?)figures["plan"]!["frontEnd"] == "lean"
        select new Dictionary<string, string>
        {
            ["the others"] = string.Concat(
                way.Key.Select(letter => char.IsUpper(letter) ? $" {char.ToLowerInvariant(letter)}" : $"{letter}")),
            ["arm"] = $"{server["server"]}{(isLean ? "+lean" : "")}",
            ["p99"] = ratios.Length == 1
                ? Number(ratios[0], 2)
                : $"{Number((ratios[(ratios.Length - 1) / 2] + ratios[ratios.Length / 2]) / 2, 2)} "
                    + $"({Number(ratios[0], 2)} to {Number(ratios[^1], 2)})",
        };

    private static string Number(double value, int digits) => value.ToString($"N{digits}", CultureInfo.InvariantCulture);
}
