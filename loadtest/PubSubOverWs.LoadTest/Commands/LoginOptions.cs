using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Runs;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>Credentials for servers with users. Secrets are read from files: other programs can see a command line.</summary>
public sealed class LoginOptions
{
    private readonly Option<string?> _login = new("--login")
    { Description = $"user of every connection to {TargetList.Options("and")}, and to a --target", HelpName = "NAME" };
    private readonly Option<string?> _passcode = new("--passcode-file")
    { Description = "file with the passcode of that user", HelpName = "FILE" };
    private readonly Option<string?> _statsToken = new("--stats-token-file")
    { Description = $"file with the token for /stats of {TargetList.Options("and")}", HelpName = "FILE" };

    public IReadOnlyList<Option> Options => [_login, _passcode, _statsToken];

    /// <exception cref="RefusalException">Only one of login and passcode was given, or a file cannot be read.</exception>
    public ServerAccess Read(ParseResult parsed)
    {
        var (login, passcode, statsToken) = (parsed.GetValue(_login), parsed.GetValue(_passcode), parsed.GetValue(_statsToken));
        if (login is null != passcode is null)
            throw new RefusalException("--login and --passcode-file go together: give both or neither.");
        if (login is null && statsToken is null)
            return ServerAccess.None;
        return new ServerAccess(
            login,
            passcode is null ? null : Secret.Read(_passcode.Name, passcode, isToken: false),
            statsToken is null ? null : Secret.Read(_statsToken.Name, statsToken, isToken: true));
    }
}
