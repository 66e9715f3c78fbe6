using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>
/// A secret of 256 random bits that a client shows instead of a login. It cannot be guessed, so that one SHA-256 keeps it as safe as a slow
/// hash keeps a passcode.
/// </summary>
internal static class BearerToken
{
    /// <summary>Where RFC 6750, 2.3, has it in a query.</summary>
    public const string QueryName = "access_token";

    private const string Scheme = "sha256$";
    private const string HeaderPrefix = "Bearer ";
    private const int Bytes = 32;

    public static string Mint() => Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(Bytes));

    /// <summary>As the file of users keeps it.</summary>
    public static string Hash(string token) => Scheme + Base64Url.EncodeToString(SHA256.HashData(Encoding.UTF8.GetBytes(token)));

    public static bool IsHash(string text) =>
        text.StartsWith(Scheme, StringComparison.Ordinal) && Base64Url.IsValid(text.AsSpan(Scheme.Length), out var length)
            && length == Bytes;

    /// <summary>What the request shows; null: nothing.</summary>
    public static string? In(HttpRequest request, bool alsoInQuery)
    {
        var header = request.Headers.Authorization.ToString();
        if (header.StartsWith(HeaderPrefix, StringComparison.OrdinalIgnoreCase))
            return header[HeaderPrefix.Length..].Trim();
        return alsoInQuery && request.Query.TryGetValue(QueryName, out var value) ? value.ToString() : null;
    }
}
