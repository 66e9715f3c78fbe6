namespace PubSubOverWs.Hosting;

/// <summary>Checks a secret when its file is read: some could never match the input of a client.</summary>
internal static class SecretText
{
    /// <summary>The fault of the secret, as the end of a sentence that names it; null: none.</summary>
    /// <param name="text">Without the line end at its end.</param>
    /// <param name="isToken">It is sent as an HTTP header, which is ASCII.</param>
    public static string? FindFault(string text, bool isToken) =>
        text.AsSpan().IndexOfAny('\r', '\n') >= 0 ? "has more than one line: write the secret alone into it"
        : text.Length > 0
            && (char.IsWhiteSpace(text[0]) || char.IsWhiteSpace(text[^1])) ? "begins or ends with a space: write the secret alone into it"
        : text.Contains('\uFFFD') ? "is no text in UTF-8: write it as such"
        : text.Any(char.IsControl) ? "has control characters: write the secret as text"
        : isToken && !System.Text.Ascii.IsValid(text) ? "has other characters than ASCII, which a header cannot carry: choose another token"
        : null;
}
