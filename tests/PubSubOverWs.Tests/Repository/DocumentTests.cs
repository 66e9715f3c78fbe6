using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Repository;

public sealed partial class DocumentTests
{
    private const string Account = "arn:aws:sqs:eu-central-1:123456789012";
    private const string TopicAccount = "arn:aws:sns:eu-central-1:123456789012";

    [Fact]
    public void Links_between_documents_lead_somewhere()
    {
        foreach (var path in SourceTree.Files("", ".md"))
        {
            var folder = Path.GetDirectoryName(Path.Combine(SourceTree.Root, path))!;
            var targets = RelativeLink().Matches(SourceTree.Read(path)).Select(match => match.Groups["target"].Value);
            Assert.All(targets,
                target => Assert.True(Path.Exists(Path.Combine(folder, target)), $"{path} links to {target}, which is not there."));
        }
    }

    [Fact]
    public void Links_to_a_heading_name_one_that_is_there()
    {
        foreach (var path in SourceTree.Files("", ".md"))
        {
            foreach (Match link in HeadingLink().Matches(SourceTree.Read(path)))
            {
                var target = link.Groups["target"].Value is { Length: > 0 } other
                    ? Path.Combine(Path.GetDirectoryName(path)!, other)
                    : path;
                Assert.True(
                    !target.EndsWith(".md", StringComparison.Ordinal) || Anchors(target).Contains(link.Groups["heading"].Value),
                    $"{path} links to {link.Value[2..^1]}, and there is no such heading.");
            }
        }
    }

    [Fact]
    public void Every_term_of_the_glossary_has_one_anchor_that_is_its_own()
    {
        var anchors = Anchors("docs/reference/glossary.md").ToArray();

        Assert.Equal(anchors.Distinct(), anchors);
        Assert.All(["arm", "level", "block", "iteration", "floor", "r", "noise-floor", "aa-run"], term => Assert.Contains(term, anchors));
    }

    // A row of a table, a command and a heading cannot be broken.
    [Fact]
    public void Lines_of_prose_have_at_most_140_columns() =>
        Assert.All(
            SourceTree.Files("", ".md").Where(path => !path.StartsWith("results/", StringComparison.Ordinal)),
            path => Assert.DoesNotContain(
                CodeBlock().Replace(SourceTree.Read(path), "").Split('\n'),
                line => line.Length > 140 && !line.StartsWith('|') && !line.StartsWith('#')));

    [Fact]
    public void Tests_that_dotnet_test_leaves_out_are_run_by_a_workflow_and_named_where_tests_are_explained()
    {
        Assert.Contains("Category!=Long", SourceTree.Read("Directory.Build.props"), StringComparison.Ordinal);
        Assert.All(
            ["README.md", "CONTRIBUTING.md", ".github/workflows/nightly.yml"],
            path => Assert.Contains("dotnet test --filter Category=Long", SourceTree.Read(path), StringComparison.Ordinal));
        var traits = SourceTree.Files("tests", ".cs").SelectMany(SourceTree.Lines)
            .Where(line => line.TrimStart().StartsWith("[Trait", StringComparison.Ordinal));
        Assert.All(traits, trait => Assert.Equal("[Trait(\"Category\", \"Long\")]", trait.Trim()));
    }

    [Fact]
    public void Every_decision_has_the_same_headings_and_at_most_250_words()
    {
        foreach (var path in Decisions())
        {
            var words = SourceTree.Read(path).Split(default(char[]), StringSplitOptions.RemoveEmptyEntries).Length;
            Assert.True(words <= 250, $"{path} has {words} words.");
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
    public void The_policies_for_AWS_are_JSON_and_reach_the_queues_of_runs_and_of_the_server_and_no_others()
    {
        var policies = JsonBlock().Matches(SourceTree.Read("docs/guides/aws.md"))
            .Select(match => JsonNode.Parse(match.Groups["json"].Value)!).ToArray();
        string[] Words(JsonNode? node) => node is JsonArray all ? [.. all.Select(word => (string)word!)] : [(string)node!];
        string[] Resources(JsonNode policy) =>
            [.. policy["Statement"]!.AsArray().SelectMany(one => Words(one!["Resource"])).Where(name => name != "*")];
        string[] Everywhere(JsonNode policy) =>
            [.. policy["Statement"]!.AsArray().Where(one => Words(one!["Resource"]).Contains("*"))
                .SelectMany(one => Words(one!["Action"]))];

        Assert.Equal(2, policies.Length);
        // What cannot be limited to a name.
        Assert.Equal(["sqs:ListQueues", "sns:ListTopics", "sns:Unsubscribe"], Everywhere(policies[0]));
        Assert.Empty(Everywhere(policies[1]));
        Assert.Equal([$"{Account}:{RunToken.QueuePrefix}*", $"{TopicAccount}:{RunToken.QueuePrefix}*"], Resources(policies[0]));
        Assert.Equal(
            [$"{Account}:{new QueueBrokerOptions().Name}", $"{Account}:{new QueueBrokerOptions().Name}-dead",
                $"{Account}:{new QueueBrokerOptions().Name}-parked"], Resources(policies[1]));
    }

    [Fact]
    public void Every_scenario_file_parses_and_is_named_after_its_scenario() =>
        Assert.All(
            SourceTree.Scenarios,
            path => Assert.Equal(Path.GetFileNameWithoutExtension(path), ScenarioJson.Parse(SourceTree.Read(path), path).Name));

    /// <summary>The anchors that GitHub gives the headings of a page: lower case, hyphens for spaces, no other marks.</summary>
    private static IEnumerable<string> Anchors(string path) => CodeBlock().Replace(SourceTree.Read(path), "").Split('\n')
        .Where(line => line.StartsWith('#'))
        .Select(line => Mark().Replace(line.TrimStart('#').Trim().ToLowerInvariant(), "").Replace(' ', '-'));

    private static IEnumerable<string> Decisions() =>
        SourceTree.Files("docs/decisions", ".md").Where(path => char.IsAsciiDigit(Path.GetFileName(path)[0]));

    [GeneratedRegex("```json\n(?<json>.*?)```", RegexOptions.Singleline)]
    private static partial Regex JsonBlock();

    [GeneratedRegex("```.*?```", RegexOptions.Singleline)]
    private static partial Regex CodeBlock();

    [GeneratedRegex(@"[^\w\- ]")]
    private static partial Regex Mark();

    [GeneratedRegex(@"\]\((?<target>[^)\s:#]*)#(?<heading>[^)\s]+)\)")]
    private static partial Regex HeadingLink();

    [GeneratedRegex(@"\]\((?<target>[^)\s:#]+)(?:#[^)]*)?\)")]
    private static partial Regex RelativeLink();
}
