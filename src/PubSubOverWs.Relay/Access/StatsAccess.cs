using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>Who may read <c>/stats</c>: whoever has the token; without a token everybody, but only while the server is open and so on loopback.</summary>
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
        _token = tokenFile.Length > 0 ? Hash(SecretFile.Read(tokenFile, "token of /stats", ShortestToken)) : null;
        _isOpen = _token is null && !hasUsers;
    }

    /// <summary>Why the request is refused; null: it is not.</summary>
    public string? Refusal(HttpRequest request) =>
        _isOpen ? null
        : _token is null ? "/stats is closed: this server has users, and no token for it. Name a file with one in Access:StatsTokenFile."
        : BearerToken.In(request, alsoInQuery: false) is { } shown && CryptographicOperations.FixedTimeEquals(Hash(shown), _token) ? null
        : "/stats wants the token of Access:StatsTokenFile: send it in the header Authorization, as Bearer TOKEN.";

    // Hashes have one length, and what is compared is nothing that the caller chose.
    private static byte[] Hash(string token) => SHA256.HashData(Encoding.UTF8.GetBytes(token));
}
