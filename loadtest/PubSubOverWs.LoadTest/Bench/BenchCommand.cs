using System.CommandLine;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// <c>bench [relay|pubsub|queue|idle|misbehaving]</c>: how much CPU, memory and time the servers take. It pins nothing.
/// </summary>
public static class BenchCommand
{
    private static readonly BenchPlan Defaults = new();

    // Long, with a declaration for each option: elsewhere they would stand apart from their use.

    /// <param name="below">Benches with options of their own, as commands below this one.</param>
    public static Command Create(params IEnumerable<Command> below)
    {
        string[] benches = ["relay", PubSubTarget.Kind, "queue", "idle", "misbehaving"];
        var kinds = new Argument<IReadOnlyList<string>?>("WHAT")
        {
            Arity = ArgumentArity.ZeroOrMore,
            CustomParser = Values.Choice("bench", benches),
            CompletionSources = { benches },
            // With completions help would show them in its place.
            HelpName = "WHAT",
            Description = $"relay, {PubSubTarget.Kind}, queue, idle, misbehaving; default: the first four",
        };
        var connections = Count(
            "--connections",
            "connections; default: 100, 10000 for idle, 200 for misbehaving, and 1000 waiting polls for queue");
        var depth = Count("--depth", $"messages that each connection keeps under way; default: {Defaults.Depth}");
        var payload = Count("--payload", $"bytes of a message body; default: {Defaults.PayloadBytes}");
        var pack = Count(
            "--pack", $"publishes that the {PubSubTarget.Kind} server may put into one SQS message; default: {Defaults.Pack}");
        var seconds = Count("--seconds", $"seconds of one leg; default: {Defaults.Leg.TotalSeconds}");
        var pairs = Count("--pairs", $"legs of each server, in turn; default: {Defaults.Pairs}");
        var only = new Option<IReadOnlyList<string>?>("--only")
        {
            Description = $"measure {DirectTarget.Kind} or echo alone, for a profile",
            HelpName = $"{DirectTarget.Kind}|echo",
        }.Choice(DirectTarget.Kind, "echo");
        var frontEnd = new Option<string?>("--front-end")
        {
            Description = $"how the servers serve WebSockets (Relay:FrontEnd); default: {Defaults.FrontEnd}",
            HelpName = "framework|lean",
        }.OneOf("framework", "lean");
        var queueMessages = new Option<int?>("--queue-messages")
        {
            CustomParser = Values.Count("--queue-messages", least: 10),
            Description = $"messages in and out of the queue in a leg, a multiple of ten; default: {Defaults.QueueMessages}",
            HelpName = "N",
        };
        var beside = new Option<Uri?>("--beside")
        {
            CustomParser = Values.Address("--beside", "http"),
            Description = "another queue server, which is filled and emptied in turn with LocalSqs; it must accept the access key test",
            HelpName = "URL",
        };
        var sqsClient = SqsClients.Option(
            $"SQS client of the {PubSubTarget.Kind} server; for queue: measure only this client");
        var misbehaving = Count("--misbehaving", $"connections that misbehave; default: {Defaults.Misbehaving}");
        var misbehaviours = new Option<IReadOnlyList<string>?>("--misbehaviour")
        {
            AllowMultipleArgumentsPerToken = true,
            Description = "what they do, one after the other; default: none, each, and all together",
            HelpName = "WAY",
        }.Choice([.. Enum.GetValues<Misbehaviour>().Select(Kebab)]);
        var rate = Count(
            "--rate",
            $"messages a second that all well-behaved clients together send; default: {Defaults.WellBehavedRate}; or that go "
                + $"through the queue while its latency is measured, default: {Defaults.PacedRate}");
        var file = new Option<string?>("--out") { Description = "file for the figures as JSON", HelpName = "FILE" };

        var command = new Command("bench", "Measure CPU, memory and throughput of the servers; pins nothing.")
        {
            kinds, connections, depth, payload, pack, seconds, pairs, queueMessages, beside, sqsClient, only, frontEnd, misbehaving,
            misbehaviours, rate, file,
        };
        foreach (var one in below)
            command.Add(one);
        command.SetAction((parsed, stopping) =>
        {
            var plan = new BenchPlan
            {
                Kinds = parsed.GetValue(kinds) is { Count: > 0 } chosen ? [.. chosen.Select(Parse<BenchKind>)] : Defaults.Kinds,
                Connections = parsed.GetValue(connections),
                Depth = parsed.GetValue(depth) ?? Defaults.Depth,
                PayloadBytes = parsed.GetValue(payload) ?? Defaults.PayloadBytes,
                Pack = parsed.GetValue(pack) ?? Defaults.Pack,
                Leg = TimeSpan.FromSeconds(parsed.GetValue(seconds) ?? Defaults.Leg.TotalSeconds),
                Pairs = parsed.GetValue(pairs) ?? Defaults.Pairs,
                QueueMessages = parsed.GetValue(queueMessages) ?? Defaults.QueueMessages,
                Misbehaving = parsed.GetValue(misbehaving) ?? Defaults.Misbehaving,
                Misbehaviours = parsed.GetValue(misbehaviours) is { Count: > 0 } some
                    ? [.. some.Select(Parse<Misbehaviour>)]
                    : Defaults.Misbehaviours,
                Rate = parsed.GetValue(rate),
                SqsClient = SqsClients.Read(parsed, sqsClient),
                Beside = parsed.GetValue(beside),
                Only = parsed.GetValue(only) is [var side] ? Parse<BenchSide>(side) : null,
                FrontEnd = parsed.GetValue(frontEnd) ?? Defaults.FrontEnd,
                Out = parsed.GetValue(file),
            };
            return RunAsync(plan, parsed.InvocationConfiguration.Output, stopping);
        });
        return command;
    }

    private static async Task<int> RunAsync(BenchPlan plan, TextWriter output, CancellationToken stopping)
    {
        BenchRules.Check(plan, await MachineProbe.LookAsync(TargetList.Programs, output: null, stopping));
        if (plan.Out is { } file)
            OutputFile.Check("--out", file);
        InlineCompletions.Enable();
        using var held = RunLock.Take(Path.GetTempPath(), "bench");
        var report = await new BenchRun(plan, output, TimeProvider.System).RunAsync(stopping);
        return (int)(report.Holds ? ExitCode.Success : ExitCode.GateFailed);
    }

    /// <summary>An option for a whole number from 1.</summary>
    internal static Option<int?> Count(string name, string description) =>
        new(name) { CustomParser = Values.Count(name, least: 1), Description = description, HelpName = "N" };

    private static T Parse<T>(string word)
        where T : struct, Enum => Enum.Parse<T>(word.Replace("-", "", StringComparison.Ordinal), ignoreCase: true);

    private static string Kebab(Misbehaviour what) => JsonNamingPolicy.KebabCaseLower.ConvertName($"{what}");
}
