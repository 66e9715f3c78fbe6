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

/// <summary>Names of enum values as they stand in files and reports: <c>LostAcknowledged</c> is <c>lost-acknowledged</c>.</summary>
public static class Kebab
{
    public static string Text<T>(T value)
        where T : struct, Enum => Table<T>.Names[value];

    public static bool TryParse<T>(string text, out T value)
        where T : struct, Enum => Table<T>.Values.TryGetValue(text, out value);

    /// <summary>Words with spaces as a part of a file's name: <c>Edmonton 1</c> is <c>edmonton-1</c>.</summary>
    public static string OfWords(string words) => words.ToLowerInvariant().Replace(' ', '-');

    private static string Convert(string name)
    {
        var text = new StringBuilder();
        foreach (var c in name)
        {
            if (char.IsUpper(c) && text.Length > 0)
                text.Append('-');
            text.Append(char.ToLowerInvariant(c));
        }

        return text.ToString();
    }

    private static class Table<T>
        where T : struct, Enum
    {
        public static readonly Dictionary<T, string> Names = Enum.GetValues<T>()
            .ToDictionary(value => value, value => Convert(value.ToString()));

        public static readonly Dictionary<string, T> Values = Names.ToDictionary(
            pair => pair.Value, pair => pair.Key, StringComparer.Ordinal);
    }
}
