namespace PubSubOverWs.Record.Formats;

/// <summary>Names of enum values as they stand in files and reports: <c>LostAcknowledged</c> is <c>lost-acknowledged</c>.</summary>
public static class Kebab
{
    public static string Of<T>(T value)
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
