using System.CommandLine.Parsing;
using System.Globalization;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>Reads the values of options; what cannot be read becomes an error that says what was written and what is allowed.</summary>
public static class Values
{
    /// <summary>A whole number of at least <paramref name="least"/>.</summary>
    public static Func<ArgumentResult, int?> Count(string option, int least) => result =>
        Word(result) is not { } word ? null
        : int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out var count) && count >= least ? count
        : Error<int?>(result, $"{option} '{word}' is no whole number of at least {least}.");

    /// <summary>Levels, such as <c>50,100,500</c>: each once, from low to high.</summary>
    public static Func<ArgumentResult, IReadOnlyList<int>?> Levels(string option) => result =>
    {
        var levels = new SortedSet<int>();
        foreach (var word in List(result))
        {
            if (!int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out var users) || users < 1)
                return Error<IReadOnlyList<int>?>(result, $"{option} '{word}' is no number of users: give whole numbers from 1, as in {option} 50,100.");
            levels.Add(users);
        }

        return [.. levels];
    };

    /// <summary>Words of a fixed choice, such as <c>direct,pubsub</c>: each once, as ordered.</summary>
    public static Func<ArgumentResult, IReadOnlyList<string>?> Choice(string option, params string[] allowed) => result =>
    {
        var chosen = List(result).Distinct().ToList();
        var wrong = chosen.Find(word => !allowed.Contains(word));
        if (wrong is null)
            return chosen;
        var meant = Spelling.Nearest(wrong, allowed) is { } near ? $", did you mean '{near}'?" : ".";
        return Error<IReadOnlyList<string>?>(result, $"{option} '{wrong}' is not known{meant} Allowed: {string.Join(", ", allowed)}.");
    };

    /// <summary>An absolute address with one of <paramref name="schemes"/>.</summary>
    public static Func<ArgumentResult, Uri?> Address(string option, params string[] schemes) => result =>
        Word(result) is not { } word ? null
        : Uri.TryCreate(word, UriKind.Absolute, out var address) && schemes.Contains(address.Scheme) ? address
        : Error<Uri?>(result, $"{option} '{word}' is no address that can be used: write it as {string.Join(" or ", schemes.Select(scheme => $"{scheme}://host:port"))}.");

    private static string? Word(ArgumentResult result) => result.Tokens.Count == 0 ? null : result.Tokens[^1].Value;

    private static IEnumerable<string> List(ArgumentResult result) => result.Tokens
        .SelectMany(token => token.Value.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));

    private static T? Error<T>(ArgumentResult result, string message)
    {
        result.AddError(message);
        return default;
    }
}
