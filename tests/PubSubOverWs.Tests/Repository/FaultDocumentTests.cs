using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Repository;

/// <summary>Once the page on faults has a row on a fault, others use it: then it also has a form in the schema, and a run.</summary>
public sealed class FaultDocumentTests
{
    private static readonly string[] Rows = [.. SourceTree.Lines("docs/reference/faults.md").SkipWhile(line => line != "## The profiles")
        .Skip(1).TakeWhile(line => !line.StartsWith('#')).Where(line => line.StartsWith("| `", StringComparison.Ordinal))];

    private static IEnumerable<string> Explained => Rows.Select(row => row.Split('`')[1]);

    [Fact]
    public void Explained_profiles_are_profiles_in_their_order() =>
        Assert.Equal(FaultProfiles.Names.Where(Explained.Contains), Explained);

    [Fact]
    public void The_schema_knows_every_explained_profile_and_every_parameter_with_its_default()
    {
        using var schema = JsonDocument.Parse(SourceTree.Read("docs/scenario.schema.json"));
        var forms = schema.RootElement.GetProperty("properties").GetProperty("fault").GetProperty("oneOf").EnumerateArray().ToArray();
        var known = forms[0].GetProperty("enum").EnumerateArray().Select(name => name.GetString()!).ToArray();
        Assert.True(Explained.SequenceEqual(known), $"scenario.schema.json has {string.Join(", ", known)}: give it those of faults.md.");
        foreach (var fault in Explained.Select(FaultProfiles.Find))
        {
            var properties =
                forms[1..].Single(form =>
                    form.GetProperty("properties").GetProperty("profile").GetRawText()
                        .Contains($"\"{fault.Profile}\"", StringComparison.Ordinal)).GetProperty("properties");
            Assert.Equal(
                fault.Parameters.Select(parameter => (parameter.Key, parameter.Text)),
                properties.EnumerateObject().Where(property => property.Name != "profile")
                    .Select(property => (property.Name, property.Value.GetProperty("default").ToString())));
        }
    }

    [Fact]
    public void Every_explained_profile_has_a_committed_run_large_enough_to_be_spoken_of()
    {
        var runs = CommittedRuns.Folders.Where(folder => folder.StartsWith("results/faults/", StringComparison.Ordinal))
            .Select(folder => RecordReader.Read(Path.Combine(SourceTree.Root, folder)).Run.Scenario.OneWay()).ToArray();

        var ran = runs.Select(scenario => scenario.Fault.Profile).Distinct().ToArray();
        var without = Explained.Except(ran).ToArray();
        Assert.True(without.Length == 0, $"results/faults has no run of {string.Join(", ", without)}: run faults --fault NAME makes one.");
        Assert.Equal(Explained.Order(), ran.Order());
        Assert.All(runs, scenario =>
        {
            Assert.True(scenario is { Iterations: >= 10, Blocks: >= 5, Messages: >= 20, Receipts: true });
            // The load of 1,000 users of a bad network may keep its core too busy for a valid run.
            Assert.Equal(scenario.Fault.Profile == "bad-network" ? 800 : 1_000, Assert.Single(scenario.Users));
        });
    }
}
