using PubSubOverWs.EndToEndTests.LoadTest;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>
/// The files of a server with users, made by <c>users add</c>: alice has a passcode and may use <c>/queue/orders/</c>, robot a token and
/// may do all.
/// </summary>
public sealed class AccessFiles : IAsyncLifetime
{
    public const string Passcode = "correct horse battery";
    public const string StatsToken = "0123456789-stats-token";

    private readonly TestFolder _folder = new();

    private readonly string _prefix;

    public AccessFiles()
        : this("/queue/orders/")
    {
    }

    /// <param name="prefix">Of what alice may use.</param>
    internal AccessFiles(string prefix)
    {
        _prefix = prefix;
        File.WriteAllText(PasscodeFile, Passcode + "\n");
        File.WriteAllText(StatsTokenFile, StatsToken + "\n");
    }

    public string UsersFile => Path.Combine(_folder.Path, "users.json");

    public string PasscodeFile => Path.Combine(_folder.Path, "passcode");

    public string StatsTokenFile => Path.Combine(_folder.Path, "stats-token");

    /// <summary>Of robot.</summary>
    public string Token { get; private set; } = "";

    /// <summary>Settings that let a server use them.</summary>
    public string[] Settings => ["--Access:UsersFile", UsersFile, "--Access:StatsTokenFile", StatsTokenFile];

    /// <summary>Secrets, which must appear nowhere.</summary>
    public IEnumerable<string> Secrets => [Passcode, StatsToken, Token];

    public async Task InitializeAsync()
    {
        var tokenFile = Path.Combine(_folder.Path, "token");
        string[] alice = ["users", "add", "alice", "--file", UsersFile, "--publish", _prefix, "--subscribe", _prefix];
        string[] robot = ["users", "add", "robot", "--file", UsersFile, "--publish", "/", "--subscribe", "/", "--token-file",
            tokenFile];
        foreach (var (words, login) in new[] { (alice, "alice"), (robot, "robot") })
        {
            var added = await ServerProgram.RunAsync(Passcode + "\n", words);
            Assert.Equal(
                (0, "", $"The user '{login}' was added to {UsersFile}: servers read it when they start."),
                (added.ExitCode, added.Output, added.Error));
        }
        Token = (await File.ReadAllTextAsync(tokenFile)).TrimEnd();
    }

    public Task DisposeAsync()
    {
        _folder.Dispose();
        return Task.CompletedTask;
    }
}
