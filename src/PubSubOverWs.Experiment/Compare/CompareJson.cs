using System.Text.Json;
using PubSubOverWs.Experiment.Documents;

namespace PubSubOverWs.Experiment.Compare;

/// <summary>compare.json.</summary>
public static class CompareJson
{
    public static string Write(RunComparison comparison) => JsonSerializer.Serialize(comparison, JsonText.Options) + "\n";
}
