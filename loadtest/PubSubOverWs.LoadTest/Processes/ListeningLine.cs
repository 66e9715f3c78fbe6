namespace PubSubOverWs.LoadTest.Processes;

/// <summary>The one line that a child writes to standard output: <c>listening http://127.0.0.1:PORT</c>.</summary>
public static class ListeningLine
{
    private const string Prefix = "listening ";

    /// <summary>False for any other line: a child may print more, and only this line counts.</summary>
    public static bool TryParse(string line, out Uri? address)
    {
        address = null;
        return line.StartsWith(Prefix, StringComparison.Ordinal)
            && Uri.TryCreate(line[Prefix.Length..].Trim(), UriKind.Absolute, out address)
            && address.Scheme == Uri.UriSchemeHttp
            && address.Port > 0;
    }
}
