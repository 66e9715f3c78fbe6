namespace PubSubOverWs.Record.Formats;

/// <summary>Finds the word a user probably meant.</summary>
public static class Spelling
{
    /// <summary>
    /// The candidate with the fewest edits, or null if none is within a third of the word's length (at least 2 edits, the distance of two
    /// swapped letters).
    /// </summary>
    public static string? Nearest(string word, IEnumerable<string> candidates) =>
        candidates.Select(candidate => (candidate, edits: Edits(word, candidate)))
            .Where(pair => pair.edits <= Math.Max(2, word.Length / 3) || pair.candidate.StartsWith(word, StringComparison.Ordinal))
            .OrderBy(pair => pair.edits).ThenBy(pair => pair.candidate, StringComparer.Ordinal)
            .Select(pair => pair.candidate).FirstOrDefault();

    /// <summary>For the end of a sentence that refuses a word: the one that was probably meant, or a full stop.</summary>
    public static string DidYouMean(string word, IEnumerable<string> candidates) =>
        Nearest(word, candidates) is { } near ? $", did you mean '{near}'?" : ".";

    /// <summary>The same within a sentence; empty if no word is near.</summary>
    public static string Meant(string word, IEnumerable<string> candidates) =>
        Nearest(word, candidates) is { } near ? $" (did you mean '{near}'?)" : "";

    /// <summary>The same followed by all candidates: the end of a sentence without its full stop.</summary>
    public static string Among(string word, params IReadOnlyCollection<string> candidates) =>
        $"{Meant(word, candidates)}: {string.Join(", ", candidates)}";

    /// <summary>Levenshtein's distance: insertions, deletions and replacements.</summary>
    public static int Edits(string left, string right)
    {
        var row = Enumerable.Range(0, right.Length + 1).ToArray();
        for (var i = 1; i <= left.Length; i++)
        {
            var diagonal = row[0];
            row[0] = i;
            for (var j = 1; j <= right.Length; j++)
            {
                var above = row[j];
                var replaced = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
                row[j] = Math.Min(replaced, Math.Min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }

        return row[right.Length];
    }
}
