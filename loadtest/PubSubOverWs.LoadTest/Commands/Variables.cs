using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using PubSubOverWs.LoadTest.Harness;

namespace PubSubOverWs.LoadTest.Commands;

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
