using System.CommandLine;
using PubSubOverWs.Experiment;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Machine;
using PubSubOverWs.LoadTest.Targets.Relay;
using static System.FormattableString;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary><c>nodes</c>: proves that several pubsub servers lose nothing among them, also when one is killed.</summary>
public static class NodesCommand
{
    private const int FaultSubscribers = 60;
    private const int FaultMessages = 2_000;
    private static readonly NodesPlan Defaults = new();

    private static readonly SortedDictionary<string, NodeFault> Faults = new(StringComparer.Ordinal)
    {
        ["kill"] = NodeFault.Kill,
        ["pause"] = NodeFault.Pause,
        ["sns-cut"] = NodeFault.SnsCut,
        ["sqs-cut"] = NodeFault.SqsCut,
        ["sqs-requests-cut"] = NodeFault.SqsRequestsCut,
        ["sqs-answers-cut"] = NodeFault.SqsAnswersCut,
    };

    public static Command Create()
    {
        var nodes = Count("--nodes", least: 2, $"{PubSubTarget.Kind} servers that share the work; {Defaults.Nodes} if left out");
        var subscribers = Count(
            "--subscribers", least: 1, $"subscribers of the topic, spread over the servers; {Defaults.Subscribers} if left out");
        var messages = Count("--messages", least: 2, $"messages to the topic, and then as many to queues; {Defaults.Messages} if left out");
        var fault = new Option<string?>("--fault")
        {
            CustomParser = Values.OneOf("--fault", [.. Faults.Keys]),
            HelpName = "NAME",
            Description =
                $"what happens to one server: {string.Join(", ", Faults.Keys)}; kill if left out. With any but kill, {FaultSubscribers} "
                    + $"subscribers and {FaultMessages} messages if left out",
        };
        var faultFor = new Option<TimeSpan?>("--fault-for")
        {
            CustomParser = Values.Interval("--fault-for", TimeSpan.FromSeconds(1)),
            HelpName = "T",
            Description =
                $"for how long, except for kill; {Defaults.FaultFor.TotalSeconds}s if left out. The others read its queue after 3 s, and "
                    + "take it from the topic after 60 s",
        };
        var command = new Command(
            "nodes",
            $"Prove that several {PubSubTarget.Kind} servers lose nothing among them, also when something is wrong with one.")
                { nodes, subscribers, messages, fault, faultFor };
        command.SetAction((parsed, stopping) =>
        {
            var chosen = Faults[parsed.GetValue(fault) ?? "kill"];
            var ends = chosen != NodeFault.Kill;
            var plan = new NodesPlan
            {
                Nodes = parsed.GetValue(nodes) ?? Defaults.Nodes,
                Subscribers = parsed.GetValue(subscribers) ?? (ends ? FaultSubscribers : Defaults.Subscribers),
                Messages = parsed.GetValue(messages) ?? (ends ? FaultMessages : Defaults.Messages),
                Fault = chosen,
                FaultFor = parsed.GetValue(faultFor) ?? Defaults.FaultFor,
            };
            return RunAsync(plan, parsed.InvocationConfiguration.Output, TimeProvider.System, stopping);
        });
        return command;
    }

    private static async Task<int> RunAsync(NodesPlan plan, TextWriter output, TimeProvider time, CancellationToken stopping)
    {
        if (plan.Fault == NodeFault.Pause && OperatingSystem.IsWindows())
            throw new RefusalException(ExitCode.BadUsage, "--fault pause needs SIGSTOP, which Windows has not: choose another fault.");
        InlineCompletions.Enable();
        using var held = RunLock.Take(Path.GetTempPath(), "nodes");
        await using var deployment = await NodeFleet.StartAsync(plan.Nodes, plan.Fault, time, stopping);
        if (plan.Fault != NodeFault.Kill)
            return await ShowAsync(plan, await new FaultProof(plan, deployment, time).RunAsync(stopping), output);
        var topic = await new TopicProof(plan, deployment, time).RunAsync(stopping);
        await output.WriteLineAsync(Invariant(
            $"topic: {topic.Nodes} servers, {topic.Subscribers} subscribers, {topic.Taken} messages taken: {topic.Complete} subscribers ")
                + Invariant(
                    $"got every one; {topic.Missing} missing, {topic.Duplicates} duplicates, {topic.Unexpected} unexpected, in ")
                        + Invariant($"{topic.Took.TotalSeconds:0.0} s"));
        var kill = await new KillProof(plan, deployment, time).RunAsync(stopping);
        await output.WriteLineAsync(Invariant(
            $"queues: one of {kill.Nodes} servers killed half-way, {kill.Acknowledged} messages acknowledged ({kill.PublishedAgain} ")
                + Invariant(
                    $"published again): {kill.Delivered} delivered at least once; {kill.Arrivals} arrivals, {kill.Duplicates} ")
                        + Invariant($"duplicates, {kill.Distinct} by id, {kill.Unexpected} unexpected, in {kill.Took.TotalSeconds:0.0} s"));
        return (int)(topic.IsProof && kill.IsProof ? ExitCode.Success : ExitCode.GateFailed);
    }

    private static async Task<int> ShowAsync(NodesPlan plan, FaultFigures figures, TextWriter output)
    {
        var name = Faults.First(fault => fault.Value == plan.Fault).Key;
        await output.WriteLineAsync(Invariant(
            $"{name} of one of {plan.Nodes} servers for {plan.FaultFor.TotalSeconds:0} s; ready again ")
                + Invariant(
                    $"{(figures.ReadyAfter is { } ready ? Invariant($"{ready.TotalSeconds:0.0} s after it") : "never")}; {figures.Again} ")
                        + Invariant($"messages published again; {figures.Unexpected} unexpected, in {figures.Took.TotalSeconds:0.0} s"));
        await output.WriteLineAsync(Invariant(
            $"topic: {figures.Taken} of {figures.Messages} messages taken, {figures.Subscribers} subscribers, {figures.Disconnected} of ")
                + Invariant(
                    $"them disconnected: {figures.Arrived} copies arrived; {figures.Told} missing and told, {figures.Untold} missing ")
                        + Invariant($"without a word, {figures.TopicTwice} duplicates"));
        await output.WriteLineAsync(Invariant(
            $"queues: {figures.Acknowledged} of {figures.Messages} messages acknowledged: {figures.Delivered} delivered at least once, ")
                + Invariant($"{figures.QueueTwice} duplicates"));
        return (int)(figures.IsProof ? ExitCode.Success : ExitCode.GateFailed);
    }

    private static Option<int?> Count(string name, int least, string description) =>
        new(name) { CustomParser = Values.Count(name, least), Description = description };
}
