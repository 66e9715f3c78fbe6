using System.CommandLine;
using System.Globalization;
using PubSubOverWs.Experiment;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.LoadTest.Runs;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary><c>nodes</c>: proves that several pubsub servers lose nothing among them, also when one is killed.</summary>
public static class NodesCommand
{
    private static readonly NodesPlan Defaults = new();

    public static Command Create()
    {
        var nodes = Count("--nodes", least: 2, $"pubsub servers that share the work; {Defaults.Nodes} if left out");
        var subscribers = Count("--subscribers", least: 1, $"subscribers of the topic, spread over the servers; {Defaults.Subscribers} if left out");
        var messages = Count("--messages", least: 2, $"messages to the topic, and then as many to queues; {Defaults.Messages} if left out");
        var command = new Command("nodes", "Prove that several pubsub servers lose nothing among them, also when one is killed half-way.") { nodes, subscribers, messages };
        command.SetAction((parsed, stopping) => RunAsync(
            new NodesPlan
            {
                Nodes = parsed.GetValue(nodes) ?? Defaults.Nodes,
                Subscribers = parsed.GetValue(subscribers) ?? Defaults.Subscribers,
                Messages = parsed.GetValue(messages) ?? Defaults.Messages,
            },
            parsed.InvocationConfiguration.Output, TimeProvider.System, stopping));
        return command;
    }

    private static async Task<int> RunAsync(NodesPlan plan, TextWriter output, TimeProvider time, CancellationToken stopping)
    {
        InlineCompletions.Enable();
        using var held = RunLock.Take(Path.GetTempPath(), "nodes");
        await using var fleet = await NodeFleet.StartAsync(plan.Nodes, time, stopping);
        var topic = await new TopicProof(plan, fleet, time).RunAsync(stopping);
        await output.WriteLineAsync(Invariant(
            $"topic: {topic.Nodes} servers, {topic.Subscribers} subscribers, {topic.Taken} messages taken: {topic.Complete} subscribers got every one; {topic.Missing} missing, {topic.Duplicates} duplicates, {topic.Unexpected} unexpected, in {topic.Took.TotalSeconds:0.0} s"));
        var kill = await new KillProof(plan, fleet, time).RunAsync(stopping);
        await output.WriteLineAsync(Invariant(
            $"queues: one of {kill.Nodes} servers killed half-way, {kill.Acknowledged} messages acknowledged ({kill.PublishedAgain} published again): {kill.Delivered} delivered at least once; {kill.Arrivals} arrivals, {kill.Duplicates} duplicates, {kill.Distinct} by id, {kill.Unexpected} unexpected, in {kill.Took.TotalSeconds:0.0} s"));
        return (int)(topic.IsProof && kill.IsProof ? ExitCode.Success : ExitCode.GateFailed);
    }

    private static Option<int?> Count(string name, int least, string description) =>
        new(name) { CustomParser = Values.Count(name, least), Description = description };

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
