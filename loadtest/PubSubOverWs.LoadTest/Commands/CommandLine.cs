using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.Runtime.InteropServices;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Report.Gates;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>Parses the arguments, runs the command, and turns a failure into one sentence and an exit code.</summary>
public static class CommandLine
{
    public static async Task<int> RunAsync(string[] args, IEnumerable<Command> commands, Terminal terminal, CancellationToken stopping)
    {
        // "help run" is "run --help".
        args = args is ["help", .. var words] ? [.. words, "--help"] : args;
        // One for each call: the help adds to its description.
        var verbose = new Option<bool>("--verbose") { Description = "show the details of an unexpected error", Recursive = true };
        var root = new RootCommand(
            "What does a queue between WebSocket clients buy, and what does it cost? Measures a "
                + $"{DirectTarget.Kind} and a queued relay.")
        { verbose };
        root.HelpName = ThisProgram.Name;
        root.Options.OfType<VersionOption>().ToList().ForEach(option => root.Options.Remove(option));
        root.Add(new VersionOption("--version", "-v") { Description = "version, commit and runtime", Action = VersionCommand.Action });
        root.Options.OfType<HelpOption>().Single().Action = new GroupedHelp();
        foreach (var command in commands)
            root.Add(command);

        return (int)await RunAsync(root, verbose, args, terminal, stopping);
    }

    private static async Task<ExitCode> RunAsync(
        RootCommand root, Option<bool> verbose, string[] args, Terminal terminal, CancellationToken stopping)
    {
        var parsed = Parse(root, args);
        try
        {
            parsed = Variables.AddTo(parsed, terminal.Variable, words => Parse(root, [.. args, .. words]));
            if (parsed.Action is ParseErrorAction || ParseRefusal.IsHelpOnNothing(parsed)
                || (parsed.Action is not GroupedHelp && ParseRefusal.OptionInAnArgument(parsed) is not null))
                throw new RefusalException(ParseRefusal.Sentence(parsed));
            var invocation = new InvocationConfiguration
            {
                Output = terminal.Output,
                Error = terminal.Error,
                EnableDefaultExceptionHandler = false,
                ProcessTerminationTimeout = null,
            };
            return (ExitCode)await parsed.InvokeAsync(invocation, stopping);
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            return ExitCode.Aborted;
        }
        catch (Exception error)
        {
            // The outermost handler: every failure becomes a sentence and an exit code.
            await terminal.Error.WriteLineAsync(Sentence(error));
            if (CodeOf(error) == ExitCode.Crash && parsed.GetValue(verbose))
                await terminal.Error.WriteLineAsync(error.ToString());
            return CodeOf(error);
        }
    }

    // No response files: a label may begin with an @.
    private static ParseResult Parse(RootCommand root, string[] args) =>
        root.Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null });

    /// <summary>That of a failure; <see cref="ExitCode.Crash"/>: it is no refusal.</summary>
    internal static ExitCode CodeOf(Exception error) => error switch
    {
        RefusalException refusal => refusal.ExitCode,
        ChildException child => (ExitCode)child.ExitCode,
        ScenarioException or GateException or RecordException or UnauthorizedAccessException => ExitCode.BadUsage,
        _ => ExitCode.Crash,
    };

    private static string Sentence(Exception error) => CodeOf(error) != ExitCode.Crash
        ? error.Message
        : $"Unexpected error: {error.Message.ReplaceLineEndings(" ")} Run {ThisProgram.Name} again with --verbose for the details, and "
            + "report them.";
}

/// <summary>
/// Ctrl-C, SIGTERM or a closed terminal stops the program. The first cancels the token; later ones do nothing, so that a second Ctrl-C
/// cannot truncate a file that is being written.
/// </summary>
public sealed class Interruption : IDisposable
{
    private readonly CancellationTokenSource _source = new();
    private readonly List<PosixSignalRegistration> _signals;
    private readonly Notices _notices;

    public Interruption(Notices notices)
    {
        _notices = notices;
        _signals = [.. new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM,
            PosixSignal.SIGHUP }.Select(signal => PosixSignalRegistration.Create(signal, Stop))];
    }

    public CancellationToken Token => _source.Token;

    public void Dispose()
    {
        _signals.ForEach(signal => signal.Dispose());
        _source.Dispose();
    }

    private void Stop(PosixSignalContext context)
    {
        context.Cancel = true;
        _notices.Say(_source.IsCancellationRequested
            ? "Still stopping: deleting queues and stopping servers takes some seconds."
            : "Stopping: what was recorded is kept.");
        _source.Cancel();
    }
}

/// <summary>
/// Every option can also be set by an environment variable: <c>--sqs-endpoint</c> by <c>PUBSUBOVERWS_SQS_ENDPOINT</c>. The command line
/// wins; an empty variable is ignored.
/// </summary>
public static class Variables
{
    private const string Prefix = "PUBSUBOVERWS_";

    /// <param name="option">With its dashes.</param>
    public static string NameOf(string option) => Prefix + option.TrimStart('-').Replace('-', '_').ToUpperInvariant();

    /// <summary>Adds the options that only variables set.</summary>
    /// <param name="variable">The value of a variable; null: it is not set.</param>
    /// <param name="parse">Parses the same command line with more words at its end.</param>
    /// <exception cref="RefusalException">The value of a variable is not valid for its option.</exception>
    public static ParseResult AddTo(ParseResult parsed, Func<string, string?> variable, Func<IEnumerable<string>, ParseResult> parse)
    {
        if (parsed.Action is ParseErrorAction or GroupedHelp)
            return parsed;
        List<string> words = [];
        foreach (var option in OptionsOf(parsed.CommandResult.Command)
            .Where(option => parsed.GetResult(option) is null or { Implicit: true }))
        {
            if (variable(NameOf(option.Name)) is not { Length: > 0 } value)
                continue;
            string[] word = [$"{option.Name}={value}"];
            if (parse(word) is { Action: ParseErrorAction } refused)
                throw new RefusalException(
                    $"The environment variable {NameOf(option.Name)} is '{value}': {ParseRefusal.Sentence(refused)}");
            words.AddRange(word);
        }

        return words.Count == 0 ? parsed : parse(words);
    }

    /// <summary>Options of the command, and recursive ones of the commands above it, without help and version.</summary>
    public static IEnumerable<Option> OptionsOf(Command command) =>
        command.Options.Concat(Above(command).SelectMany(parent => parent.Options.Where(option => option.Recursive)))
            .Where(option => option is not (HelpOption or VersionOption));

    private static IEnumerable<Command> Above(Command command) =>
        command.Parents.OfType<Command>().SelectMany(parent => Above(parent).Prepend(parent));
}

/// <summary>Commands that the help does not list; they take any arguments.</summary>
public static class HiddenCommand
{
    /// <summary>A server or client program of this assembly that runs as a separate process.</summary>
    public static Command Child(string name, Func<Task> run)
    {
        var command = new Command(name) { Hidden = true, TreatUnmatchedTokensAsErrors = false };
        command.SetAction((_, _) => run());
        return command;
    }
}

/// <summary>The hidden command <c>fault-proxy</c>, which a run starts as a separate process.</summary>
public static class FaultProxyCommand
{
    /// <param name="args">All arguments of the program: the web host reads its settings from them.</param>
    public static Command Create(string[] args)
    {
        var target = new Option<Uri?>(FaultProxyProcess.TargetOption)
        { CustomParser = Values.Address(FaultProxyProcess.TargetOption, "http"), Required = true, Description = "the server of the proxy" };
        var connections = new Option<int?>(FaultProxyProcess.ConnectionsOption)
        {
            CustomParser = Values.Count(FaultProxyProcess.ConnectionsOption, least: 1, most: FaultProxyProcess.MaxConnections),
            Description = $"connections at a time; default and maximum: {FaultProxyProcess.MaxConnections}",
        };
        var proxies = new Option<int?>(FaultProxyProcess.ProxiesOption)
        {
            CustomParser = Values.Count(FaultProxyProcess.ProxiesOption, least: 1, most: FaultProxyProcess.MaxProxies),
            Description = "proxies in this process, each with toxics of its own; default: 1",
        };
        var command = new Command(FaultProxyProcess.Command) { target, connections, proxies };
        (command.Hidden, command.TreatUnmatchedTokensAsErrors) = (true, false);
        command.SetAction(async (parsed, stopping) =>
        {
            var server = await ResolveAsync(parsed.GetValue(target)!, stopping);
            await FaultProxyProcess.RunAsync(
                args, server, parsed.GetValue(connections) ?? FaultProxyProcess.MaxConnections, parsed.GetValue(proxies) ?? 1);
        });
        return command;
    }

    private static async Task<IPEndPoint> ResolveAsync(Uri target, CancellationToken stopping)
    {
        try
        {
            return (await ClientTarget.ResolveAsync(target, stopping)).EndPoint;
        }
        catch (SocketException error)
        {
            throw new RefusalException($"{FaultProxyProcess.TargetOption} '{target}' does not resolve: {error.Message}.", error);
        }
    }
}
