using System.Globalization;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>What a scenario and its fault set of the servers that the run starts; everything else keeps its default.</summary>
public static class ServerSettings
{
    /// <summary>Of the arm direct+buffer.</summary>
    public const string Buffer = "Direct:Buffer";

    /// <summary>Of an arm's servers, by name.</summary>
    public static IReadOnlyDictionary<string, string> Of(RelayScenario scenario, Arm arm)
    {
        var settings = new Dictionary<string, string>();
        if (arm.Name == Arms.Buffered)
            settings[Buffer] = Text(scenario.Buffer);
        if (scenario.Visibility is { } visibility && arm.HasQueue)
            settings["Sqs:VisibilityTimeout"] = $"{visibility:c}";
        if (scenario.MaxInFlight is { } most && arm.HasQueue)
            settings["Sqs:MaxInFlight"] = Text(most);
        if (scenario.Fault.Overload is { } overload)
        {
            settings["Relay:Delivery:Cost"] = $"{overload.Cost:c}";
            settings["Relay:Delivery:AtATime"] = Text(overload.AtATime);
        }

        if (scenario.Fault is ConnectStormFault storm)
            settings["Relay:Backlog"] = Text(storm.Backlog);

        return settings;
    }

    /// <summary>What stands in the environment of every server under test.</summary>
    public static IReadOnlyDictionary<string, string> EnvironmentOf(Fault fault) => fault is SmallHostFault small
        ? new Dictionary<string, string> { ["DOTNET_GCHeapHardLimit"] = small.HeapBytes.ToString("x", CultureInfo.InvariantCulture) }
        : new Dictionary<string, string>();

    /// <summary>A server of an arm with all of these.</summary>
    public static ChildCommand Put(ChildCommand server, RelayScenario scenario, Arm arm) => server with
    {
        Arguments = [.. server.Arguments, .. Of(scenario, arm).SelectMany(one => new[] { $"--{one.Key}", one.Value })],
        Environment = (server.Environment ?? new Dictionary<string, string>()).Concat(EnvironmentOf(scenario.Fault)).ToDictionary(),
    };

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
