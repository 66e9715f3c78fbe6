using System.Text.Encodings.Web;

namespace PubSubOverWs.Record.Formats;

/// <summary>The values of a scenario file, each of the kind its key asks for or refused by name.</summary>
internal static class JsonValue
{
    public static string Text(string key, JsonElement value) =>
        value.ValueKind == JsonValueKind.String ? value.GetString()! : throw Wrong(key, value, "a text");

    public static int Number(string key, JsonElement value) =>
        value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out var number) ? number : throw Wrong(key, value, "a whole number");

    public static long Long(string key, JsonElement value) =>
        value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out var number) ? number : throw Wrong(key, value, "a whole number");

    /// <summary>A fraction of 1.</summary>
    public static double Share(string key, JsonElement value) =>
        value.ValueKind == JsonValueKind.Number && value.TryGetDouble(out var share) && share is >= 0 and <= 1
            ? share
            : throw Wrong(key, value, "a number from 0 to 1");

    public static TimeSpan Time(string key, JsonElement value) => Keyed(key, () => Duration.Parse(Text(key, value)));

    /// <summary>Reads a value; a refusal that does not name the key gets it in front.</summary>
    public static T Keyed<T>(string key, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (ScenarioException refused) when (!refused.Message.Contains($"'{key}", StringComparison.Ordinal))
        {
            throw new ScenarioException($"'{key}': {refused.Message}", refused) { IsOfKind = refused.IsOfKind };
        }
    }

    public static T Named<T>(string key, JsonElement value)
        where T : struct, Enum =>
            Kebab.TryParse(Text(key, value), out T named)
                ? named
                : throw Wrong(key, value, $"one of {string.Join(", ", Enum.GetValues<T>().Select(Kebab.Text))}");

    public static bool Truth(string key, JsonElement value) =>
        value.ValueKind is JsonValueKind.True or JsonValueKind.False ? value.GetBoolean() : throw Wrong(key, value, "true or false");

    public static IReadOnlyList<string> Texts(string key, JsonElement value) =>
        value.ValueKind == JsonValueKind.Array
            ? [.. value.EnumerateArray().Select(one => Text(key, one))]
            : throw Wrong(key, value, "a list of texts");

    public static IReadOnlyList<int> Numbers(string key, JsonElement value) => value.ValueKind == JsonValueKind.Array
        ? [.. value.EnumerateArray().Select(one => Number(key, one))]
        : throw Wrong(key, value, "a list of whole numbers");

    private static ScenarioException Wrong(string key, JsonElement value, string wanted) =>
        new($"'{key}' is {value.GetRawText()}: it must be {wanted}.") { IsOfKind = true };
}

/// <summary>
/// How the program writes JSON: the same bytes on every system, for people as well, so that '+' and '&lt;' stay as they are.
/// </summary>
internal static class JsonStyle
{
    public static JsonSerializerOptions Written { get; } = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>What is also read: a key that is not known, or null where there must be a value, is refused.</summary>
    public static JsonSerializerOptions Read { get; } = new(Written)
    {
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
    };
}
