using System.Text;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>
/// Which web pages may open a WebSocket here. Browsers let any page connect to any address, loopback included, and only name the page's
/// origin, in the header Origin. Other clients send none; requiring one would not help, because they could make it up.
/// </summary>
internal sealed class OriginRule
{
    private const string Any = "*";

    // Browsers send this for pages without an origin, such as files and sandboxed frames.
    private const string Opaque = "null";
    private const int LongestShown = 200;

    private readonly HashSet<string> _allowed = new(StringComparer.OrdinalIgnoreCase);
    private readonly bool _hasUsers;

    /// <param name="list">As in <see cref="AccessOptions.Origins"/>.</param>
    /// <exception cref="StartFailedException">Something in the list is no origin.</exception>
    public OriginRule(string list, bool hasUsers)
    {
        _hasUsers = hasUsers;
        foreach (var word in list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            if (word != Any && !IsAsBrowsersWriteIt(word))
                throw new StartFailedException(
                    $"Access:Origins has '{word}', which is no origin: write such as https://example.org, with a port where it is not "
                        + "the usual one, and nothing behind it.");
            _allowed.Add(word);
        }
    }

    public bool Allows(HttpRequest request)
    {
        var origin = request.Headers.Origin.ToString();
        return origin.Length == 0 || _allowed.Contains(Any) || _allowed.Contains(origin) || IsOwn(origin, request.Host);
    }

    /// <summary>Why an origin is refused, with the setting that would allow it.</summary>
    public static string Refusal(string origin)
    {
        var shown = origin.Length > LongestShown ? origin[..LongestShown] + "..." : origin;
        return IsAsBrowsersWriteIt(origin)
            ? $"Pages of {shown} may not connect here: to allow them, add the origin to Access:Origins."
            : $"The header Origin is '{shown}', which is no origin that Access:Origins could list: "
                + $"send none, or {Any} there lets pages of any origin connect.";
    }

    // Without users the host must be this machine: otherwise a page whose host name resolves to this machine would pass for one of ours.
    private bool IsOwn(string origin, HostString host) => Read(origin) is { } page
        ? IsSame(page.Authority, host.Value) && (_hasUsers || page.IsLoopback)
        : IsHost(origin, host) && (_hasUsers || Loopback.Has(host));

    // No browser sends a host without a scheme; load tools do.
    private static bool IsHost(string origin, HostString host) =>
        origin != Opaque && (IsSame(origin, host.Value) || IsSame(origin, host.Host));

    private static bool IsSame(string name, string? other) => name.Equals(other, StringComparison.OrdinalIgnoreCase);

    // Any other form could never match: with the default port, a user, a path, or characters that browsers encode.
    private static bool IsAsBrowsersWriteIt(string word) =>
        Read(word) is { } uri && Ascii.IsValid(word) && word.Equals($"{uri.Scheme}://{uri.Authority}", StringComparison.OrdinalIgnoreCase);

    private static Uri? Read(string origin) =>
        Uri.TryCreate(origin, UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https" ? uri : null;
}
