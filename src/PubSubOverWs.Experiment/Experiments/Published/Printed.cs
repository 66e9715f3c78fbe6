using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace PubSubOverWs.Experiment.Experiments.Published;

/// <summary>A number as it was printed: with its digits it says how far it may have been rounded.</summary>
/// <param name="Text">As it stands there.</param>
/// <param name="Value">The number.</param>
/// <param name="HalfUnit">Half a unit of its last digit.</param>
[JsonConverter(typeof(Json))]
public readonly record struct Printed(string Text, double Value, double HalfUnit)
{
    public double Low => Value - HalfUnit;

    public double High => Value + HalfUnit;

    /// <param name="text">For example <c>300.20</c> or <c>2.21e-7</c>.</param>
    public static Printed Parse(string text)
    {
        var parts = text.Split('e', 'E');
        var point = parts[0].IndexOf('.', StringComparison.Ordinal);
        var decimals = point < 0 ? 0 : parts[0].Length - point - 1;
        var exponent = parts.Length < 2 ? 0 : int.Parse(parts[1], CultureInfo.InvariantCulture);
        return new Printed(text, double.Parse(text, CultureInfo.InvariantCulture), 0.5 * Math.Pow(10, exponent - decimals));
    }

    private sealed class Json : JsonConverter<Printed>
    {
        public override Printed Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            using var number = JsonDocument.ParseValue(ref reader);
            return Parse(number.RootElement.GetRawText());
        }

        public override void Write(Utf8JsonWriter writer, Printed value, JsonSerializerOptions options) => writer.WriteRawValue(value.Text);
    }
}
