using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>Options for servers that are no part of the program.</summary>
public sealed class ElsewhereOptions
{
    private readonly Option<string[]> _targets = new(ServerElsewhereTarget.Option)
    {
        Description = "a STOMP server that is no part of this program, as an arm of its own: "
            + $"{ClientTarget.Scheme}://HOST:PORT/PATH#VHOST, where VHOST is the host of CONNECT, such as RabbitMQ's virtual host /; may "
            + "be repeated",
        HelpName = "NAME=URL",
    };

    private readonly Option<string[]> _processes = new(ServerElsewhereTarget.ProcessOption)
    {
        Description = "the id of its process on this machine, whose CPU and memory are then measured",
        HelpName = "NAME=PID",
    };

    public IReadOnlyList<Option> Options => [_targets, _processes];

    /// <summary>The arms, in the order given. One empty array for all: records compare it by reference.</summary>
    /// <exception cref="RefusalException">An option has another form.</exception>
    public IReadOnlyList<string> NamesIn(ParseResult parsed) =>
        parsed.GetValue(_targets) is { Length: > 0 } ? [.. AddressesIn(parsed).Keys] : new ScenarioChanges().Elsewhere;

    /// <inheritdoc cref="NamesIn"/>
    public IReadOnlyDictionary<string, Uri> AddressesIn(ParseResult parsed) =>
        parsed.GetValue(_targets) is { Length: > 0 } given ? Pairs(given, ServerElsewhereTarget.Option, Address) : Default.Elsewhere;

    /// <inheritdoc cref="NamesIn"/>
    public IReadOnlyDictionary<string, int> ProcessesIn(ParseResult parsed) => parsed.GetValue(_processes) is { Length: > 0 } given
        ? Pairs(given, ServerElsewhereTarget.ProcessOption, ProcessId)
        : Default.ProcessesElsewhere;

    private static TargetOptions Default => new();

    private static Dictionary<string, T> Pairs<T>(string[] given, string option, Func<string, string, T> read)
    {
        var pairs = new Dictionary<string, T>();
        foreach (var text in given)
        {
            if (text.Split('=', 2) is not [{ Length: > 0 } name, var value])
                throw new RefusalException($"{option} '{text}' has no '=': write the name of the arm first, such as {option} other=...");
            if (!pairs.TryAdd(name, read(name, value)))
                throw new RefusalException($"{option} names {name} twice: give each arm one.");
        }

        return pairs;
    }

    private static Uri Address(string name, string value) =>
        Uri.TryCreate(value, UriKind.Absolute, out var address) && address.Scheme == ClientTarget.Scheme
            && address is { Port: > 0, UserInfo.Length: 0, Query.Length: 0 }
            ? address
            : throw new RefusalException(
                $"The address of {ServerElsewhereTarget.Option} {name} is not usable: write it as {ClientTarget.Scheme}://host:port/path, "
                    + "without user, password and query.");

    private static int ProcessId(string name, string value) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var id)
            ? id
            : throw new RefusalException($"{ServerElsewhereTarget.ProcessOption} {name}={value} is not the id of a process.");
}
