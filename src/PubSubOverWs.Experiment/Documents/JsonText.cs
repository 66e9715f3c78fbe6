using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace PubSubOverWs.Experiment.Documents;

/// <summary>How reports are written as JSON.</summary>
internal static class JsonText
{
    public static JsonSerializerOptions Options { get; } = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        Converters = { new Number(), new JsonStringEnumConverter(JsonNamingPolicy.KebabCaseLower) },
    };

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
}
