using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>The users of this server.</summary>
internal sealed class Users
{
    private readonly Dictionary<string, User> _byLogin = new(StringComparer.Ordinal);
    private readonly Dictionary<string, User> _byToken = new(StringComparer.Ordinal);
    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly User _stranger = new("", PasscodeHash.CreateUnmatchable(), [], []);

    /// <param name="document">Checked by <see cref="UsersFile"/>.</param>
    public Users(UsersDocument document)
    {
        foreach (var entry in document.Users)
        {
            var user = new User(
                entry.Login, entry.Passcode is { } passcode ? PasscodeHash.TryParse(passcode)! : PasscodeHash.CreateUnmatchable(),
                entry.Publish, entry.Subscribe);
            _byLogin.Add(user.Login, user);
            if (entry.Token is { } token)
                _byToken.Add(Blind(token), user);
        }
        Iterations = _byLogin.Values.Max(user => user.Passcode.Iterations);
    }

    /// <summary>The largest number of iterations of any passcode: every check takes that long.</summary>
    public int Iterations { get; }

    /// <summary>
    /// For an unknown login: a stranger without a passcode and permissions, so that an unknown login is treated exactly like a known one.
    /// </summary>
    public User FindByLogin(string login) => _byLogin.GetValueOrDefault(login) ?? _stranger;

    /// <summary>Null: no user has it.</summary>
    public User? FindByToken(string token) => _byToken.GetValueOrDefault(Blind(BearerToken.Hash(token)));

    // With a key that only this process has: the time of a look-up reveals nothing about the stored hashes.
    private string Blind(string hash) => Convert.ToBase64String(HMACSHA256.HashData(_key, Encoding.UTF8.GetBytes(hash)));
}

/// <summary>A user of this server, and its rights.</summary>
internal sealed class User(string login, PasscodeHash passcode, IReadOnlyList<string> publish, IReadOnlyList<string> subscribe)
{
    public string Login { get; } = login;

    /// <summary>A hash that nothing matches if the user has no passcode.</summary>
    public PasscodeHash Passcode { get; } = passcode;

    /// <summary>Goes by the prefix of the destination; nothing is allowed that is not listed.</summary>
    public bool MayPublish(string destination) => IsUnder(publish, destination);

    /// <inheritdoc cref="MayPublish"/>
    public bool MaySubscribe(string destination) => IsUnder(subscribe, destination);

    private static bool IsUnder(IReadOnlyList<string> prefixes, string destination)
    {
        foreach (var prefix in prefixes)
        {
            if (destination.StartsWith(prefix, StringComparison.Ordinal))
                return true;
        }
        return false;
    }
}

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
