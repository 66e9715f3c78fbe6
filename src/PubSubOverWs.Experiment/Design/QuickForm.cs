using System.Text.Json;

namespace PubSubOverWs.Experiment.Design;

/// <summary>The smaller form of a scenario that <c>--quick</c> runs: other values of some keys.</summary>
/// <param name="Values">Keys, and values as JSON.</param>
public sealed record QuickForm(IReadOnlyList<KeyValuePair<string, string>> Values)
{
    private const string Prefix = "quick.";

    private const int Iterations = 5;

    internal Scenario ApplyTo(Scenario scenario) => Values.Aggregate(
        scenario with { Iterations = Iterations, Blocks = 1, Quick = null },
        (quick, value) => scenario.Kind.Keys.Single(key => key.Name == value.Key).Read(quick, Prefix + value.Key,
            JsonElement.Parse(value.Value)));

    /// <summary>Such as <c>("users", "[50]"), ("iterations", "2")</c>.</summary>
    public static QuickForm Of(params (string Key, string Json)[] values) =>
        new([.. values.Select(value => KeyValuePair.Create(value.Key, value.Json))]);
}
