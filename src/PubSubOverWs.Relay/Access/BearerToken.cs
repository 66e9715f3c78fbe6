using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>
/// A secret of 256 random bits that a client sends instead of a login. It cannot be guessed, so one SHA-256 protects it as well as a slow
/// hash protects a passcode.
/// </summary>
internal static class BearerToken
{
    /// <summary>The name of the query parameter (RFC 6750, 2.3).</summary>
    public const string QueryName = "access_token";

    private const string Scheme = "sha256$";
    private const string HeaderPrefix = "Bearer ";
    private const int Bytes = 32;

    public static string Create() => Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(Bytes));

    /// <summary>The form in which the users file has it.</summary>
    public static string Hash(string token) => Scheme + Base64Url.EncodeToString(SHA256.HashData(Encoding.UTF8.GetBytes(token)));

    public static bool IsHash(string text) =>
        text.StartsWith(Scheme, StringComparison.Ordinal) && Base64Url.IsValid(text.AsSpan(Scheme.Length), out var length)
            && length == Bytes;

    /// <summary>The token that the request carries; null: none.</summary>
    public static string? In(HttpRequest request, bool alsoInQuery)
    {
        var header = request.Headers.Authorization.ToString();
        if (header.StartsWith(HeaderPrefix, StringComparison.OrdinalIgnoreCase))
            return header[HeaderPrefix.Length..].Trim();
        return alsoInQuery && request.Query.TryGetValue(QueryName, out var value) ? value.ToString() : null;
    }
}
