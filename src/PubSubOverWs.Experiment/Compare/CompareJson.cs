using System.Text.Json;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Scenarios;

namespace PubSubOverWs.Experiment.Compare;

/// <summary>compare.json.</summary>
public static class CompareJson
{
    internal static JsonSerializerOptions Options { get; } = new(JsonText.Options) { Converters = { new ScenarioJson() } };

    public static string Write(RunComparison comparison) => JsonSerializer.Serialize(comparison, Options) + "\n";
}
