using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>All targets, in the order in which they are described and started.</summary>
public static class TargetList
{
    public static IReadOnlyList<Target> All { get; } =
    [
        new DirectTarget(), new PubSubTarget(), new ServerElsewhereTarget(),
        .. Catalogue.Experiments.SelectMany(experiment => experiment.Targets), new NullEchoTarget(),
    ];

    /// <summary>Targets that may already be running.</summary>
    public static IReadOnlyList<Target> WithAddress { get; } = [.. All.Where(target => target.AddressHelp is not null)];

    /// <summary>The server programs of all targets.</summary>
    public static IReadOnlyList<ServerProgram> Programs { get; } = [.. All.SelectMany(target => target.Programs).Distinct()];

    /// <summary>The address options, such as <c>--direct or --pubsub</c>.</summary>
    /// <param name="word">Between the last two.</param>
    public static string Options(string word)
    {
        var options = WithAddress.Select(target => target.AddressOption).ToList();
        return options.Count == 1 ? options[0] : $"{string.Join(", ", options.SkipLast(1))} {word} {options[^1]}";
    }

    /// <summary>Each target as a run uses it.</summary>
    public static IEnumerable<(Target Target, TargetUse Use)> In(Scenario scenario, TargetOptions options) =>
        All.Select(target => (target, new TargetUse(target.Name, scenario, options)));
}
