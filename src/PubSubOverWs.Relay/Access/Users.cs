using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>Everybody whom this server knows.</summary>
internal sealed class Users
{
    private readonly Dictionary<string, User> _byLogin = new(StringComparer.Ordinal);
    private readonly Dictionary<string, User> _byToken = new(StringComparer.Ordinal);
    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly User _stranger = new("", PasscodeHash.OfNone(), [], []);

    /// <param name="document">Checked by <see cref="UsersFile"/>.</param>
    public Users(UsersDocument document)
    {
        foreach (var entry in document.Users)
        {
            var user = new User(
                entry.Login, entry.Passcode is { } passcode ? PasscodeHash.TryParse(passcode)! : PasscodeHash.OfNone(), entry.Publish,
                entry.Subscribe);
            _byLogin.Add(user.Login, user);
            if (entry.Token is { } token)
                _byToken.Add(Blind(token), user);
        }
        Iterations = _byLogin.Values.Max(user => user.Passcode.Iterations);
    }

    /// <summary>Of the dearest passcode: every check takes that long.</summary>
    public int Iterations { get; }

    /// <summary>
    /// For a login that nobody has: a stranger, who has no passcode and no rights, so that nothing is done otherwise for one who is not
    /// known.
    /// </summary>
    public User OfLogin(string login) => _byLogin.GetValueOrDefault(login) ?? _stranger;

    /// <summary>Null: no user has it.</summary>
    public User? OfToken(string token) => _byToken.GetValueOrDefault(Blind(BearerToken.Hash(token)));

    // Under a key that only this process has: how long a look-up takes says nothing about the hashes that are kept.
    private string Blind(string hash) => Convert.ToBase64String(HMACSHA256.HashData(_key, Encoding.UTF8.GetBytes(hash)));
}
