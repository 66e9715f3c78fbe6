using System.Text.Json;
using PubSubOverWs.Experiment.Reports;

namespace PubSubOverWs.Experiment.Comparing;

/// <summary>compare.json.</summary>
public static class CompareJson
{
    public static string Write(RunComparison comparison) => JsonSerializer.Serialize(comparison, ReportJson.Options) + "\n";
}
