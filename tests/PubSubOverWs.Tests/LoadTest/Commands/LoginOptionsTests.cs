using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Runs;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class LoginOptionsTests : IDisposable
{
    private readonly TestTerminal _terminal = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("access-").FullName;

    [Fact]
    public async Task A_file_that_is_not_there_or_empty_is_refused_by_its_option()
    {
        Assert.Equal(
            5,
            await _terminal.RunAsync(
                "run", "smoke", "--direct", "http://127.0.0.1:1", "--login", "me", "--passcode-file", Path.Combine(_folder, "nowhere")));
        Assert.StartsWith("The file of --passcode-file cannot be read: ", _terminal.Error);
        Assert.Equal(
            5, await _terminal.RunAsync("run", "smoke", "--direct", "http://127.0.0.1:1", "--stats-token-file", Write("token", "\n")));
        Assert.Contains("of --stats-token-file is empty: ", _terminal.Error);
    }

    [Theory]
    [InlineData("--passcode-file", "two\nlines", "has more than one line: ")]
    [InlineData("--passcode-file", " a secret", "begins or ends with a space: ")]
    [InlineData("--stats-token-file", "a sécret", "has other characters than ASCII, which a header cannot carry: ")]
    [InlineData("--stats-token-file", "a secret \n", "begins or ends with a space: ")]
    public async Task A_secret_that_could_never_match_is_refused_by_its_option(string option, string text, string fault)
    {
        string[] login = option == "--passcode-file" ? ["--login", "me"] : [];

        Assert.Equal(
            5, await _terminal.RunAsync(["run", "smoke", "--direct", "http://127.0.0.1:1", .. login, option, Write("secret", text)]));

        Assert.Contains($"secret of {option} {fault}", _terminal.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("two", _terminal.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_stats_token_is_refused_for_servers_that_the_run_starts()
    {
        Assert.Equal(5, await _terminal.RunAsync("run", "smoke", "--stats-token-file", Write("token", "a secret")));

        Assert.Equal(
            "--stats-token-file has no effect without --direct, --pubsub or --reference: omit it, because servers that the run starts "
                + $"accept everyone on this machine.{Environment.NewLine}", _terminal.Error);
    }

    [Fact]
    public async Task The_variables_name_files_too_and_a_dry_run_shows_no_secret()
    {
        _terminal.Variables["PUBSUBOVERWS_LOGIN"] = "me";
        _terminal.Variables["PUBSUBOVERWS_PASSCODE_FILE"] = Write("passcode", "a secret");
        _terminal.Variables["PUBSUBOVERWS_STATS_TOKEN_FILE"] = Write("token", "another secret");

        Assert.Equal(0, await _terminal.RunAsync("run", "smoke", "--dry-run", "--arms", "direct", "--direct", "http://127.0.0.1:1"));

        Assert.DoesNotContain("secret", _terminal.Output + _terminal.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_secret_shown_as_text_is_masked()
    {
        var request = new RunRequest { Access = new ServerAccess("me", new Secret("a secret"), new Secret("another secret")) };

        Assert.Contains("Login = me", request.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("secret", request.ToString(), StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string Write(string name, string text)
    {
        var path = Path.Combine(_folder, name);
        File.WriteAllText(path, text);
        return path;
    }
}
