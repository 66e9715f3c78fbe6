using System.CommandLine;
using System.CommandLine.Parsing;
using PubSubOverWs.LoadTest.Harness;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>Turns the parser's errors into one sentence that says what to write instead.</summary>
public static class ParseRefusal
{
    public static string Sentence(ParseResult parsed)
    {
        var command = parsed.CommandResult.Command;
        if (OptionInAnArgument(parsed) is { } option)
            return Unknown(parsed, option);
        if (parsed.UnmatchedTokens.Count > 0)
            return Unknown(parsed, parsed.UnmatchedTokens[0]);
        if (command is { Action: null, Subcommands.Count: > 0 })
            return $"No command was given: use one of {List(command.Subcommands)}; {Called(command)} --help explains each.";
        return Missing(parsed) ?? parsed.Errors[0].Message;
    }

    /// <summary>A misspelled option that an argument took for its word, such as a folder; null: there is none.</summary>
    public static string? OptionInAnArgument(ParseResult parsed) => parsed.Tokens.Any(one => one.Type == TokenType.DoubleDash)
        ? null
        : parsed.CommandResult.Children.OfType<ArgumentResult>().SelectMany(one => one.Tokens)
            .FirstOrDefault(one => one.Value.StartsWith('-'))?.Value;

    /// <summary>Help is asked for on a word that is no command.</summary>
    public static bool IsHelpOnNothing(ParseResult parsed) => parsed.Action is GroupedHelp
        && parsed.CommandResult.Command.Subcommands.Count > 0 && parsed.UnmatchedTokens.Any(word => !word.StartsWith('-'));

    private static string Unknown(ParseResult parsed, string token)
    {
        // In "runn paper" the second word is a command as well.
        var command = parsed.Tokens[0].Value == token ? parsed.RootCommandResult.Command : parsed.CommandResult.Command;
        if (command.Subcommands.Count > 0 && !token.StartsWith('-'))
        {
            var meant = Spelling.DidYouMean(token, Visible(command.Subcommands).Select(one => one.Name));
            return $"There is no command '{token}'{meant} The commands are {List(command.Subcommands)}.";
        }

        if (!token.StartsWith('-') && !command.Options.Any(TakesList))
            return $"'{command.Name}' does not take '{token}': see {Called(command)} --help.";
        if (!token.StartsWith('-'))
            return $"'{command.Name}' does not take '{token}': write several values of one option as one list, as in "
                + $"{ListMeant(parsed, token) ?? "--users 50,100"}, and see {Called(command)} --help.";

        var meantOption = Spelling.DidYouMean(token, Visible(command.Options).SelectMany(one => one.Aliases.Append(one.Name)));
        return $"'{command.Name}' has no option '{token}'{meantOption} {Called(command)} --help lists its options.";
    }

    // The meaning of --users 50 100: all words behind the option that look like its first value.
    private static string? ListMeant(ParseResult parsed, string token)
    {
        var words = parsed.Tokens.TakeWhile(word => word.Type != TokenType.Argument || word.Value != token).ToList();
        var option = words.FindLastIndex(word => word.Type == TokenType.Option);
        if (option < 0 || !parsed.CommandResult.Command.Options.Any(one => one.Name == words[option].Value && TakesList(one)))
            return null;
        var values = parsed.Tokens.Skip(option + 1).TakeWhile(word => word.Type == TokenType.Argument).Select(word => word.Value.Trim(','))
            .ToList();
        return $"{words[option].Value} {string.Join(',', values.TakeWhile(value => IsNumber(value) == IsNumber(values[0])))}";
    }

    private static bool TakesList(Option option) => option.HelpName?.EndsWith(",..", StringComparison.Ordinal) == true;

    private static bool IsNumber(string word) => word is [>= '0' and <= '9', ..];

    // The parser's own message has no example.
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

    // The whole line, such as pubsub-over-ws queues list.
    private static string Called(Command command) => command is RootCommand
        ? ThisProgram.Name
        : string.Join(' ', command.Parents.OfType<Command>().Select(Called).Append(command.Name));

    private static string List(IEnumerable<Command> commands) => string.Join(", ", Visible(commands).Select(one => one.Name));

    private static IEnumerable<T> Visible<T>(IEnumerable<T> symbols)
        where T : Symbol => symbols.Where(one => !one.Hidden);
}
