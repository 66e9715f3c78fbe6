using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Gates;
using PubSubOverWs.Experiment.Scenarios;

namespace PubSubOverWs.Experiment.Reports;

/// <summary>report.json.</summary>
internal static class ReportJson
{
    internal static readonly JsonSerializerOptions Options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        Converters = { new Number(), new ScenarioJson(), new GateText(), new JsonStringEnumConverter(JsonNamingPolicy.KebabCaseLower) },
    };

    public static string Write(ReportModel model) => JsonSerializer.Serialize(model, Options) + "\n";

    /// <summary>
    /// Ten digits: more than any reading carries, and few enough to hide that mathematical libraries differ in the last bits. What is not
    /// finite is null, for JSON has no other word.
    /// </summary>
    private sealed class Number : JsonConverter<double>
    {
        public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.GetDouble();

        public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options)
        {
            if (double.IsFinite(value))
                writer.WriteRawValue(value.ToString("G10", CultureInfo.InvariantCulture));
            else
                writer.WriteNullValue();
        }
    }

    /// <summary>A gate is what was written.</summary>
    private sealed class GateText : JsonConverter<Gate>
    {
        public override Gate Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            Gate.Parse(reader.GetString()!);

        public override void Write(Utf8JsonWriter writer, Gate value, JsonSerializerOptions options) => writer.WriteStringValue(value.Text);
    }
}
