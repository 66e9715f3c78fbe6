using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workers.Joining;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>The command <c>load-worker</c>: joins a run that waits elsewhere. A run starts it with <c>--child</c> as its own.</summary>
public static class JoinCommand
{
    private const string JoinOption = "--join";

    /// <param name="args">All arguments of the program: the web host of a child reads its settings from them.</param>
    public static Command Create(string[] args, Terminal terminal)
    {
        var run = new Option<Uri?>(JoinOption)
        {
            CustomParser = Values.Address(JoinOption, Uri.UriSchemeHttps),
            Description = $"where the run waits, as its {JoinOptions.At} says",
            HelpName = "https://HOST:PORT",
        };
        var token = TokenOption();
        var within = new Option<TimeSpan?>(JoinOptions.Within)
        {
            CustomParser = Values.Age(JoinOptions.Within),
            Description = "how long the run is looked for, such as 90s; default: 10m",
            HelpName = "TIME",
        };
        var command = new Command(
            WorkerProgram.Command,
            $"Join a run that waits with {JoinOptions.At}, on this machine or another: have a share of its clients until it ends.")
        { run, token, within };
        var isChild = args.Contains("--child");
        command.TreatUnmatchedTokensAsErrors = !isChild;
        command.SetAction(async (parsed, stopping) =>
        {
            if (isChild)
            {
                await WorkerProgram.RunAsync(args, Catalogue.Shared);
                return;
            }
            if (parsed.GetValue(run) is not { } address || parsed.GetValue(token) is not { } file)
                throw new RefusalException($"'{WorkerProgram.Command}' needs {JoinOption} and {JoinToken.Option}: see its --help.");
            using var secret = JoinToken.Read(file);
            await new JoinProgram(address, secret, terminal).RunAsync(
                parsed.GetValue(within) ?? JoinOptions.DefaultPatience, Catalogue.Shared, stopping);
        });
        return command;
    }

    internal static Option<string?> TokenOption() => new(JoinToken.Option)
    {
        Description = Invariant(
            $"file with the secret that a run and its load processes share, {JoinToken.Shortest} characters or more that nobody can ")
                + "guess: openssl rand -hex 32",
        HelpName = "FILE",
    };
}
