using System.Text.RegularExpressions;
using PubSubOverWs.Experiment.Scenarios;

namespace PubSubOverWs.Tests.Repository;

public sealed partial class DocumentTests
{
    [Fact]
    public void Links_between_documents_lead_somewhere()
    {
        foreach (var path in SourceTree.Files("", ".md"))
        {
            var folder = Path.GetDirectoryName(Path.Combine(SourceTree.Root, path))!;
            var targets = RelativeLink().Matches(SourceTree.Read(path)).Select(match => match.Groups["target"].Value);
            Assert.All(targets, target => Assert.True(Path.Exists(Path.Combine(folder, target)), $"{path} links to {target}, which is not there."));
        }
    }

    [Fact]
    public void Every_decision_record_has_the_same_headings()
    {
        foreach (var path in Decisions())
        {
            var headings = SourceTree.Lines(path).Where(line => line.StartsWith('#')).ToArray();
            Assert.Matches($"^# {Path.GetFileName(path)[..4]}: ", headings[0]);
            Assert.Equal(["## Context", "## Decision", "## Refused", "## Consequences"], headings[1..]);
        }
    }

    [Fact]
    public void The_list_of_decisions_names_each_once()
    {
        var list = SourceTree.Read("docs/decisions/README.md");

        Assert.All(Decisions(), path => Assert.Single(Regex.Matches(list, Regex.Escape($"({Path.GetFileName(path)})"))));
    }

    [Fact]
    public void Every_scenario_file_parses_and_is_named_after_its_scenario() =>
        Assert.All(
            SourceTree.Files("loadtest/scenarios", ".json"),
            path => Assert.Equal(Path.GetFileNameWithoutExtension(path), ScenarioJson.Parse(SourceTree.Read(path), path).Name));

    private static IEnumerable<string> Decisions() =>
        SourceTree.Files("docs/decisions", ".md").Where(path => char.IsAsciiDigit(Path.GetFileName(path)[0]));

    [GeneratedRegex(@"\]\((?<target>[^)\s:#]+)(?:#[^)]*)?\)")]
    private static partial Regex RelativeLink();
}
