using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>
/// Whose pages may open a WebSocket here. Browsers let any page connect to any address, loopback included, and only say whose page it is, in the header Origin; other
/// clients send none, and nothing is gained by asking them for what they could make up.
/// </summary>
internal sealed class OriginRule
{
    private const string Any = "*";

    private readonly HashSet<string> _allowed = new(StringComparer.OrdinalIgnoreCase);
    private readonly bool _hasUsers;

    /// <param name="list">As in <see cref="AccessOptions.Origins"/>.</param>
    /// <param name="hasUsers">Whoever connects must log in.</param>
    /// <exception cref="StartFailedException">Something in the list is no origin.</exception>
    public OriginRule(string list, bool hasUsers)
    {
        _hasUsers = hasUsers;
        foreach (var word in list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            if (word != Any && !IsAsBrowsersWriteIt(word))
                throw new StartFailedException($"Access:Origins has '{word}', which is no origin: write such as https://example.org, with a port where it is not the usual one, and nothing behind it.", StartFailedException.BadUsage);
            _allowed.Add(word);
        }
    }

    public bool Allows(HttpRequest request)
    {
        var origin = request.Headers.Origin.ToString();
        return origin.Length == 0 || _allowed.Contains(Any) || _allowed.Contains(origin) || IsOwn(origin, request.Host);
    }

    // Without users the name must be this machine's: else a page whose name is made to lead here would pass for one of ours.
    private bool IsOwn(string origin, HostString host) =>
        Read(origin) is { } page && page.Authority.Equals(host.Value, StringComparison.OrdinalIgnoreCase) && (_hasUsers || page.IsLoopback);

    // What differs from it could never match: the usual port, a user, a path, letters that browsers write otherwise.
    private static bool IsAsBrowsersWriteIt(string word) =>
        Read(word) is { } uri && Ascii.IsValid(word) && word.Equals($"{uri.Scheme}://{uri.Authority}", StringComparison.OrdinalIgnoreCase);

    private static Uri? Read(string origin) =>
        Uri.TryCreate(origin, UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https" ? uri : null;
}
