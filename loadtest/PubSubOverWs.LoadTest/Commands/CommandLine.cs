using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.Runtime.InteropServices;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets.Relay;
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
