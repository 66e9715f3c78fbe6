using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>
/// Every option is also an environment variable, named after it: <c>--sqs-endpoint</c> is <c>PUBSUBOVERWS_SQS_ENDPOINT</c>. What stands on
/// the command line goes before; an empty variable counts as none.
/// </summary>
public static class Variables
{
    private const string Prefix = "PUBSUBOVERWS_";

    /// <param name="option">With its dashes.</param>
    public static string NameOf(string option) => Prefix + option.TrimStart('-').Replace('-', '_').ToUpperInvariant();

    /// <summary>The command line as it would be with the options that only variables set.</summary>
    /// <param name="parsed">The command line as it was written.</param>
    /// <param name="variable">The value of a variable; null: it is not set.</param>
    /// <param name="parse">Parses the same command line with more words at its end.</param>
    /// <exception cref="RefusalException">A variable has a value that its option does not take.</exception>
    public static ParseResult AddTo(ParseResult parsed, Func<string, string?> variable, Func<IEnumerable<string>, ParseResult> parse)
    {
        if (parsed.Action is ParseErrorAction or HelpAction)
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

    /// <summary>Adds to the description of each option the variable that sets it.</summary>
    public static void Describe(Command command)
    {
        foreach (var option in OptionsOf(command))
            option.Description += $" [{NameOf(option.Name)}]";
    }

    /// <summary>Those of the command and those that every command has, without help itself.</summary>
    private static IEnumerable<Option> OptionsOf(Command command) =>
        command.Options.Concat(Above(command).SelectMany(parent => parent.Options.Where(option => option.Recursive)))
            .Where(option => option is not HelpOption);

    private static IEnumerable<Command> Above(Command command) =>
        command.Parents.OfType<Command>().SelectMany(parent => Above(parent).Prepend(parent));
}
