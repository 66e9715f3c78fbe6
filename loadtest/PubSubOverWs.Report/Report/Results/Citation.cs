using PubSubOverWs.Report.Documents;

namespace PubSubOverWs.Report.Results;

/// <summary>BibTeX for a record, for the program that made it, and for the paper that its scenario replicates.</summary>
public static class Citation
{
    private static readonly Dictionary<char, string> Special = new()
    {
        ['\\'] = @"\textbackslash{}",
        ['~'] = @"\textasciitilde{}",
        ['^'] = @"\textasciicircum{}",
        ['&'] = @"\&",
        ['%'] = @"\%",
        ['$'] = @"\$",
        ['#'] = @"\#",
        ['_'] = @"\_",
        ['{'] = @"\{",
        ['}'] = @"\}",
    };

    /// <summary>The name of a record outside of its folder, such as <c>paper-2026-11-22T03-19-06Z-burst</c>.</summary>
    public static string NameOf(RunRecord run)
    {
        var time = run.Started.UtcDateTime.ToString("yyyy-MM-dd'T'HH-mm-ss'Z'", CultureInfo.InvariantCulture);
        return $"{run.Scenario.Name}-{time}{(string.IsNullOrEmpty(run.Label) ? "" : $"-{run.Label}")}";
    }

    /// <param name="authors">Such as <c>Ganaputra, J.</c>; empty: to be added by hand.</param>
    public static string BibTeX(RunRecord run, IReadOnlyList<string> authors, string archive, string sum)
    {
        var scenario = run.Scenario;
        var text = new StringBuilder("Add the DOI that the repository gives to the first entry: doi = {...}\n\n");
        Entry(text, NameOf(run),
            ("title", $"{{{Escaped(scenario.Name)}: {Escaped(string.Join(", ", scenario.Arms))}}}. Record of a run of PubSubOverWs"),
            ("author", string.Join(" and ", authors.Select(Escaped))),
            ("year", Format.Whole(run.Started.UtcDateTime.Year)),
            ("howpublished", $"Data set, {Escaped(archive)}"),
            ("note", $"{Format.Count(scenario.Iterations, "iteration")} in {Format.Count(scenario.Blocks, "block")}, record version "
                + $"{Format.Whole(run.Record)}, SHA-256 {sum}"));
        Entry(text, "PubSubOverWs",
            ("title", "{PubSubOverWs}"),
            ("author", "{PubSubOverWs contributors}"),
            ("year", Format.Whole(run.Started.UtcDateTime.Year)),
            ("howpublished", "Software"),
            ("note", $"Version {Escaped(run.Machine.Versions.GetValueOrDefault("PubSubOverWs", "unknown"))}, commit "
                + Escaped(run.Machine.Commit ?? "unknown")));
        if (AnalysisList.For(scenario).Replicates?.Invoke() is { } replicated)
            Entry(text, "replicated", ("note", Escaped(replicated)));
        return text.ToString();
    }

    private static void Entry(StringBuilder text, string key, params (string Name, string Value)[] fields)
    {
        text.Append("@misc{").Append(key).Append(",\n");
        foreach (var (name, value) in fields.Where(field => field.Value.Length > 0))
            text.Append("  ").Append(name).Append(" = {").Append(value).Append("},\n");
        text.Append("}\n\n");
    }

    private static string Escaped(string text) =>
        string.Concat(text.Select(letter => Special.GetValueOrDefault(letter, letter.ToString())));
}
