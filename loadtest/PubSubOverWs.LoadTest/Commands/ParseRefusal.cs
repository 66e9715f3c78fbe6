using System.CommandLine;
using System.CommandLine.Parsing;
using PubSubOverWs.LoadTest.Runs;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>Turns the parser's errors into one sentence that says what to write instead.</summary>
public static class ParseRefusal
{
    public static string Sentence(ParseResult parsed)
    {
        var command = parsed.CommandResult.Command;
        if (parsed.UnmatchedTokens.Count > 0)
            return Unknown(command, parsed.UnmatchedTokens[0]);
        // An argument that takes any number of words takes a misspelt option too.
        if (parsed.CommandResult.Children.OfType<ArgumentResult>().SelectMany(one => one.Tokens)
            .FirstOrDefault(one => one.Value.StartsWith('-')) is { } option)
            return Unknown(command, option.Value);
        if (command.Subcommands.Count > 0)
            return $"No command was given: use one of {List(command.Subcommands)}; --help explains each.";
        return Missing(parsed) ?? parsed.Errors[0].Message;
    }

    private static string Unknown(Command command, string token)
    {
        if (command.Subcommands.Count > 0 && !token.StartsWith('-'))
        {
            var meant = Spelling.Nearest(token, Visible(command.Subcommands).Select(one => one.Name));
            return $"There is no command '{token}'{DidYouMean(meant)} The commands are {List(command.Subcommands)}.";
        }

        if (!token.StartsWith('-'))
            return $"'{command.Name}' does not take '{token}': put several values of one option into one list, as in --users 50,100, "
                + $"and see {command.Name} --help.";

        var option = Spelling.Nearest(token, Visible(command.Options).SelectMany(one => one.Aliases.Append(one.Name)));
        return $"'{command.Name}' has no option '{token}'{DidYouMean(option)} {command.Name} --help lists its options.";
    }

    // What is missing, in our words: the parser names no example.
    private static string? Missing(ParseResult parsed)
    {
        foreach (var argument in parsed.CommandResult.Command.Arguments)
        {
            if (argument.Arity.MinimumNumberOfValues > 0 && parsed.GetResult(argument) is null or { Tokens.Count: 0 })
                return $"'{parsed.CommandResult.Command.Name}' needs {argument.Name}: {argument.Description}.";
        }

        return parsed.CommandResult.Children.OfType<OptionResult>()
            .Where(given => given.Option.Arity.MinimumNumberOfValues > 0 && given.Tokens.Count == 0 && !given.Implicit)
            .Select(given => $"Option {given.Option.Name} needs a value: {given.Option.Description}.").FirstOrDefault();
    }

    private static string DidYouMean(string? word) => word is null ? "." : $", did you mean '{word}'?";

    private static string List(IEnumerable<Command> commands) => string.Join(", ", Visible(commands).Select(one => one.Name));

    private static IEnumerable<T> Visible<T>(IEnumerable<T> symbols)
        where T : Symbol => symbols.Where(one => !one.Hidden);
}
