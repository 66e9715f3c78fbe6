using PubSubOverWs.EndToEndTests.LoadTest;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>
/// The files of a server with users, made by <c>users add</c>: alice has a passcode and may use <c>/queue/orders/</c>, robot a token and
/// may do all.
/// </summary>
internal sealed class AccessFiles : IDisposable
{
    public const string Passcode = "correct horse battery";
    public const string StatsToken = "0123456789-stats-token";

    private readonly TestFolder _folder = new();

    private AccessFiles()
    {
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

    public static async Task<AccessFiles> CreateAsync(string prefix = "/queue/orders/")
    {
        var files = new AccessFiles();
        var tokenFile = Path.Combine(files._folder.Path, "token");
        string[] alice = ["users", "add", "alice", "--file", files.UsersFile, "--publish", prefix, "--subscribe", prefix];
        string[] robot = ["users", "add", "robot", "--file", files.UsersFile, "--publish", "/", "--subscribe", "/", "--token-file",
            tokenFile];
        foreach (var (words, login) in new[] { (alice, "alice"), (robot, "robot") })
        {
            var added = await ServerProgram.RunAsync(Passcode + "\n", words);
            Assert.Equal(
                (0, "", $"The user '{login}' was added to {files.UsersFile}: servers read it when they start."),
                (added.ExitCode, added.Output, added.Error));
        }
        files.Token = (await File.ReadAllTextAsync(tokenFile)).TrimEnd();
        return files;
    }

    public void Dispose() => _folder.Dispose();
}
