using System.Text.Encodings.Web;

namespace PubSubOverWs.Record.Formats;

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
