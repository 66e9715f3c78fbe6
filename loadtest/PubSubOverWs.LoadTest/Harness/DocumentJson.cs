using System.Text.Encodings.Web;

namespace PubSubOverWs.LoadTest.Harness;

/// <summary>How the documents that only <c>--json</c> prints are written; those that are files too are written as the file.</summary>
public static class DocumentJson
{
    internal static JsonSerializerOptions Options { get; } = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        NewLine = "\n",
        // For people, too: '+' and '<' stay as they are.
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        Converters = { new ScenarioJson(), new JsonStringEnumConverter(JsonNamingPolicy.KebabCaseLower) },
    };

    /// <returns>The text with a line end.</returns>
    public static string Write<T>(T document) => JsonSerializer.Serialize(document, Options) + "\n";
}
