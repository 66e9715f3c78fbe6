using System.Globalization;
using System.Text.Json.Nodes;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Repository;

/// <summary>Rows of committed figures that are no record and have no report.</summary>
internal static class FigureTables
{
    public static IReadOnlyList<ReportRow> Read(string file)
    {
        var figures = JsonNode.Parse(SourceTree.Read(file))!;
        return [.. (figures["misbehaving"] is { } servers ? Misbehaving(figures, servers.AsArray()) : Peers(figures))
            .Select(cells => new ReportRow(0, cells))];
    }

    // The median of the pairs' ratios, and their range, by the way to misbehave and the server.
    private static IEnumerable<Dictionary<string, string>> Misbehaving(JsonNode figures, JsonArray servers) =>
        from server in servers
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

    // Means of the servers, and ratios of ours to the others with their 95 % intervals.
    private static IEnumerable<Dictionary<string, string>> Peers(JsonNode figures)
    {
        foreach (var row in figures["rows"]!.AsArray())
        {
            var values = row!["values"]!.AsArray().ToLookup(one => (string)one!["server"]!,
                one => (Pair: (int)one!["pair"]!, Value: (double)one["value"]!));
            var cells = new Dictionary<string, string> { ["row"] = (string)row["row"]! };
            foreach (var server in values)
            {
                var mean = server.Average(one => one.Value);
                cells[server.Key] = Number(mean, mean < 100 ? 2 : 0);
                foreach (var ours in new[] { "framework", "lean" })
                {
                    (double A, double B)[] pairs = [.. server.Join(values[ours], one => one.Pair, one => one.Pair,
                        (one, other) => (one.Value, other.Value))];
                    if (ours == server.Key || Ratio.PairedFieller(pairs, 0.95) is not { } interval)
                        continue;
                    cells[$"{ours} / {server.Key}"] = $"{Number(pairs.Average(pair => pair.B) / pairs.Average(pair => pair.A), 2)} "
                        + $"({Number(interval.Low, 2)} to {Number(interval.High, 2)})";
                }
            }

            yield return cells;
        }
    }

    private static string Number(double value, int digits) => value.ToString($"N{digits}", CultureInfo.InvariantCulture);
}
