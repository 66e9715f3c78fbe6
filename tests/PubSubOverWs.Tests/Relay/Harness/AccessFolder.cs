using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay;

/// <summary>A folder with a users file: alice, who has a passcode, and robot, who has a token. Gone after the test.</summary>
internal sealed class AccessFolder : IDisposable
{
    public const string Passcode = "correct horse é";
    public const string Token = "a-token";

    /// <summary>Of <see cref="Passcode"/>, by Python's hashlib.pbkdf2_hmac with the salt 0, 1, 2 to 15.</summary>
    public const string PasscodeHash = "pbkdf2-sha512$210000$AAECAwQFBgcICQoLDA0ODw$7Nc2ptPYMAahU2FIunWPXbeDQytiNalmQmzwmKJ6yQQ";

    /// <summary>Of <see cref="Token"/>, by Python's hashlib.sha256.</summary>
    public const string TokenHash = "sha256$H2B246R7od7QgCX_4G5XryF8FPlAfzP7pQ-ZsccBk4c";

    /// <summary>Only its form is valid: no passcode is known for it.</summary>
    public static string HashOf(int iterations) => PasscodeHash.Replace("210000", $"{iterations}", StringComparison.Ordinal);

    private static readonly string Users = $$"""
        { "users": [
          { "login": "alice", "passcode": "{{PasscodeHash}}", "publish": ["/queue/orders/"], "subscribe": ["/queue/", "/topic/news"] },
          { "login": "robot", "token": "{{TokenHash}}", "publish": ["/"], "subscribe": [] } ] }
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("access-").FullName;

    public AccessOptions Options => new() { UsersFile = Write("users.json", Users) };

    public string PathOf(string name) => Path.Combine(_folder, name);

    /// <summary>Returns its path.</summary>
    public string Write(string name, string text)
    {
        File.WriteAllText(PathOf(name), text);
        return PathOf(name);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
