using System.CommandLine;
using System.CommandLine.Parsing;
using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>Parses the values of options; an error says what was written and what is allowed.</summary>
public static partial class Values
{
    /// <summary>A whole number of at least <paramref name="least"/>.</summary>
    public static Func<ArgumentResult, int?> Count(string option, int least, int most = int.MaxValue) => result =>
        Word(result) is not { } word ? null
        : int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out var count) && count >= least && count <= most ? count
        : Error<int?>(
            result,
            $"{option} '{word}' is not a whole number {(most == int.MaxValue ? $"of at least {least}" : $"from {least} to {most}")}.");

    /// <summary>A port, 0 for any that is free, of an option that may stand without one.</summary>
    public static Func<ArgumentResult, int?> Port(string option) => result =>
        Word(result) is not { } word ? null
        : ushort.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out var port) ? port
        : Error<int?>(
            result,
            $"{option} '{word}' is not a port from 0 to 65535: write the scenario before {option}, and a port or nothing behind it.");

    /// <summary>An address of this machine with a port, such as <c>0.0.0.0:7400</c>.</summary>
    public static Func<ArgumentResult, IPEndPoint?> EndPoint(string option) => result =>
        Word(result) is not { } word ? null
        : IPEndPoint.TryParse(word, out var endPoint) && endPoint.Port > 0 ? endPoint
        : Error<IPEndPoint?>(
            result, $"{option} '{word}' is not an IP address of this machine with a port: write it as {option} 0.0.0.0:7400.");

    /// <summary>Words of a fixed choice, such as <c>direct,pubsub</c>: each once, as ordered.</summary>
    private static Func<ArgumentResult, IReadOnlyList<string>?> Choice(string option, params string[] allowed) => result =>
    {
        var chosen = List(result).Distinct().ToList();
        var wrong = chosen.Find(word => !allowed.Contains(word));
        if (wrong is null)
            return chosen;
        return Error<IReadOnlyList<string>?>(
            result, $"{option} '{wrong}' is not known{Spelling.DidYouMean(wrong, allowed)} Allowed: {string.Join(", ", allowed)}.");
    };

    /// <summary>One word of a fixed choice, such as <c>local</c> or <c>aws</c>.</summary>
    public static Func<ArgumentResult, string?> OneOf(string option, params string[] allowed) => result =>
        Choice(option, allowed)(result) switch
        {
            [] or null => null,
            [var chosen] => chosen,
            _ => Error<string?>(result, $"{option} takes one of {string.Join(", ", allowed)}, not several."),
        };

    /// <summary>Lets an option take one word of a fixed choice; shells complete it.</summary>
    public static Option<string?> OneOf(this Option<string?> option, params string[] allowed)
    {
        option.CustomParser = OneOf(option.Name, allowed);
        option.CompletionSources.Add(allowed);
        return option;
    }

    /// <summary>Dollars, such as <c>0.40</c>.</summary>
    public static Func<ArgumentResult, decimal?> Price(string option) => result =>
        Word(result) is not { } word ? null
        : decimal.TryParse(word, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var dollars) ? dollars
        : Error<decimal?>(result, $"{option} '{word}' is not a price: give dollars from 0, such as {option} 0.40.");

    /// <summary>An age, such as <c>90s</c>, <c>30m</c>, <c>1h</c> or <c>2d</c>.</summary>
    public static Func<ArgumentResult, TimeSpan?> Age(string option) => result =>
    {
        if (Word(result) is not { } word)
            return null;
        var unit = word.Length == 0 ? 0 : word[^1] switch { 's' => 1, 'm' => 60, 'h' => 3600, 'd' => 86_400, _ => 0 };
        return unit > 0 && int.TryParse(word.AsSpan(0, word.Length - 1), NumberStyles.None, CultureInfo.InvariantCulture, out var count)
            && (long)count * unit <= 1_000_000_000
            ? TimeSpan.FromSeconds((long)count * unit)
            : Error<TimeSpan?>(
                result, $"{option} '{word}' is not an age: give a whole number with s, m, h or d after it, such as {option} 1h.");
    };

    /// <summary>The name of an AWS region. It becomes part of a host name, so nothing else is accepted.</summary>
    public static Func<ArgumentResult, string?> Region(string option) => result =>
        Word(result) is not { } word ? null
        : RegionName().IsMatch(word) ? word
        : Error<string?>(result, $"{option} '{word}' is not an AWS region: write it as AWS does, such as {option} eu-central-1.");

    /// <summary>The address of a queue server. Addresses of AWS, which costs money, are refused.</summary>
    public static Func<ArgumentResult, Uri?> QueueAddress(string option) => result =>
        Address(option, "http", "https")(result) is not { } address ? null
        : !AwsHost.IsSqs(address) ? address
        : Error<Uri?>(
            result,
            $"{option} '{address}' is Amazon SQS, which costs money: use --sqs aws and --region instead; the run first shows the cost.");

    /// <summary>The address of a server, also as its clients are given it, <c>ws://host:port/ws</c>.</summary>
    /// <returns>Such as <c>http://host:port/</c>.</returns>
    public static Func<ArgumentResult, Uri?> ServerAddress(string option) => result =>
        Address(option, "http", "ws")(result) is not { } address ? null
        : address is { AbsolutePath: "/" or ClientTarget.Path, Fragment.Length: 0 } ? new Uri($"http://{address.Authority}/")
        : Error<Uri?>(
            result,
            $"{option} '{address}' has a path, and the run takes the paths of its own servers: write it as {address.Scheme}://host:port.");

    /// <summary>
    /// An absolute address with one of <paramref name="schemes"/>. It must have no secret in it: it is recorded, and passed to processes.
    /// </summary>
    public static Func<ArgumentResult, Uri?> Address(string option, params string[] schemes) => result =>
    {
        if (Word(result) is not { } word)
            return null;
        if (Uri.TryCreate(word, UriKind.Absolute, out var address) && schemes.Contains(address.Scheme)
            && address is { UserInfo.Length: 0, Query.Length: 0 })
            return address;
        var form = string.Join(" or ", schemes.Select(scheme => $"{scheme}://host:port"));
        return Error<Uri?>(result, word.AsSpan().ContainsAny('@', '?')
            ? $"{option} has a user, a password or a query in it, which is not repeated here: write the address alone, as {form}. "
                + "A server's user is named by --login and --passcode-file, a queue's keys by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
            : $"{option} '{word}' is not a usable address: write it as {form}.");
    };

    private static string? Word(ArgumentResult result) => result.Tokens.Count == 0 ? null : result.Tokens[^1].Value;

    private static IEnumerable<string> List(ArgumentResult result) => result.Tokens
        .SelectMany(token => token.Value.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));

    private static T? Error<T>(ArgumentResult result, string message)
    {
        result.AddError(message);
        return default;
    }

    [GeneratedRegex("^[a-z]{2,5}(-[a-z]+)+-[0-9]{1,2}$")]
    private static partial Regex RegionName();
}
