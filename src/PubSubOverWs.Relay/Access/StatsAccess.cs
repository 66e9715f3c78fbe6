using System.Security.Cryptography;
using System.Text;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>
/// Who may read <c>/stats</c>: clients with the token. Without a token: clients that address this machine by a loopback name, as long as
/// the server has no users and so listens on loopback only.
/// </summary>
internal sealed class StatsAccess
{
    private const int ShortestToken = 16;

    private readonly byte[]? _token;
    private readonly bool _isOpen;

    /// <param name="tokenFile">Empty: there is no token.</param>
    /// <param name="hasUsers">The server may be reached from a network.</param>
    /// <exception cref="StartFailedException">The file cannot be read, or its token is too short.</exception>
    public StatsAccess(string tokenFile, bool hasUsers)
    {
        _token = tokenFile.Length > 0 ? Hash(SecretFile.Read(tokenFile, "token of /stats", ShortestToken, isToken: true)) : null;
        _isOpen = _token is null && !hasUsers;
    }

    /// <summary>Why the request is refused, with the HTTP status; null: it is not.</summary>
    public (int Status, string Why)? Refusal(HttpRequest request)
    {
        if (_isOpen)
        {
            return Loopback.Has(request.Host)
                ? null
                : (StatusCodes.Status403Forbidden,
                    "/stats is open to this machine only, and the header Host names another: ask at 127.0.0.1, or name a file with a "
                        + "token in Access:StatsTokenFile.");
        }
        if (_token is null)
            return (StatusCodes.Status401Unauthorized,
                "/stats is closed: this server has users, and no token for it. Name a file with one in Access:StatsTokenFile.");
        return BearerToken.In(request, alsoInQuery: false) is { } shown && CryptographicOperations.FixedTimeEquals(Hash(shown), _token)
            ? null
            : (StatusCodes.Status401Unauthorized,
                "/stats wants the token of Access:StatsTokenFile: send it in the header Authorization, as Bearer TOKEN.");
    }

    // Hashes all have the same length, and a caller cannot choose what is compared.
    private static byte[] Hash(string token) => SHA256.HashData(Encoding.UTF8.GetBytes(token));
}
