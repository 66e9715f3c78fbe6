using System.CommandLine;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Runs;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>
/// The options that let this program into servers with users; secrets come by file, for every other program sees a command line.
/// </summary>
public sealed class LoginOptions
{
    private readonly Option<string?> _login = new("--login")
    { Description = $"user of every connection to {TargetList.Options("and")}", HelpName = "NAME" };
    private readonly Option<string?> _passcode = new("--passcode-file")
    { Description = "file with the passcode of that user", HelpName = "FILE" };
    private readonly Option<string?> _statsToken = new("--stats-token-file")
    { Description = $"file with the token for /stats of {TargetList.Options("and")}", HelpName = "FILE" };

    public void AddTo(Command command)
    {
        foreach (var option in new Option[] { _login, _passcode, _statsToken })
            command.Add(option);
    }

    /// <exception cref="RefusalException">Half of a login, or a file that cannot be read.</exception>
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
