using System.Text.Json;

namespace PubSubOverWs.Experiment.Published;

/// <summary>
/// What must be known of the paper to read its figures: errata, and what they do not say; results/published/notes.json, carried inside the
/// program.
/// </summary>
public static class PaperNotes
{
    /// <summary>One paragraph each.</summary>
    public static IReadOnlyList<string> Load()
    {
        using var file = typeof(PaperNotes).Assembly.GetManifestResourceStream("published/notes.json")!;
        using var document = JsonDocument.Parse(file);
        return document.RootElement.GetProperty("notes").Deserialize<string[]>()!;
    }
}
