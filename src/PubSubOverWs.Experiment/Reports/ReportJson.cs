using System.Text.Json;
using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Documents;
using PubSubOverWs.Experiment.Gates;
using PubSubOverWs.Experiment.Scenarios;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>report.json of any experiment.</summary>
internal static class ReportJson
{
    internal static readonly JsonSerializerOptions Options = new(JsonText.Options) { Converters = { new ScenarioJson(), new GateText() } };

    public static string Write<T>(T report) => JsonSerializer.Serialize(report, Options) + "\n";

    /// <summary>A gate is what was written.</summary>
    private sealed class GateText : JsonConverter<Gate>
    {
        public override Gate Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            throw new NotSupportedException("report.json is only written.");

        public override void Write(Utf8JsonWriter writer, Gate value, JsonSerializerOptions options) => writer.WriteStringValue(value.Text);
    }
}
