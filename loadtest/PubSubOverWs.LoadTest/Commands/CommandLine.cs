using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Gates;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Relay;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>From arguments to an exit code: parses, runs the command, and turns whatever stops it into one sentence.</summary>
public static class CommandLine
{
    public static async Task<int> RunAsync(string[] args, IEnumerable<Command> commands, Terminal terminal, CancellationToken stopping)
    {
        // Its help is added to, so each call has one of its own.
        var verbose = new Option<bool>("--verbose") { Description = "show the details of an unexpected error", Recursive = true };
        var root = new RootCommand(
            "What does a queue between WebSocket clients buy, and what does it cost? Measures a "
                + $"{DirectTarget.Kind} and a queued relay.")
        { verbose };
        root.Options.OfType<VersionOption>().ToList().ForEach(option => root.Options.Remove(option));
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
            if (parsed.Action is ParseErrorAction)
                throw new RefusalException(ParseRefusal.Sentence(parsed));
            if (parsed.Action is HelpAction)
                Variables.Describe(parsed.CommandResult.Command);
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
            // The edge of the program: whatever happened becomes a sentence and an exit code.
            await terminal.Error.WriteLineAsync(Sentence(error));
            if (CodeOf(error) == ExitCode.Crash && parsed.GetValue(verbose))
                await terminal.Error.WriteLineAsync(error.ToString());
            return CodeOf(error);
        }
    }

    // No response files: a label may begin with an @.
    private static ParseResult Parse(RootCommand root, string[] args) =>
        root.Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null });

    private static ExitCode CodeOf(Exception error) => error switch
    {
        RefusalException refusal => refusal.ExitCode,
        ChildException child => (ExitCode)child.ExitCode,
        ScenarioException or GateException or RecordException => ExitCode.BadUsage,
        _ => ExitCode.Crash,
    };

    private static string Sentence(Exception error) => CodeOf(error) != ExitCode.Crash
        ? error.Message
        : $"Unexpected error: {error.Message.ReplaceLineEndings(" ")} Run it again with --verbose for the details, and report them.";
}
