using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// The cost of misbehaving clients to the others: loss and latency of well-behaved clients at a fixed rate without them and beside them, in
/// turn, and whether the server stays within the memory that it computed from its settings. Each pair has processes of its own.
/// </summary>
internal sealed class MisbehavingBench(BenchPlan plan, TextWriter output, TimeProvider time)
{
    // For clients that reconnect before the server notices their loss, and for publishers that fill queues.
    private const int MoreConnections = 100;

    // Totals that these clients reach, and as many connections as there can be: a bound on memory that they can press against.
    private string[] Bounds =>
    [
        "--Relay:MaxConnections", Invariant($"{plan.WellBehaved + plan.Misbehaving + MoreConnections}"),
        "--Relay:OutboxBytesTotal", "67108864", "--Relay:UnacknowledgedBytesTotal", "67108864",
        "--Relay:SentBytesTotal", "67108864", "--Relay:TopicBacklogBytesTotal", "33554432",
    ];

    public async Task<IReadOnlyList<MisbehavingFigures>> RunAsync(CancellationToken cancellationToken)
    {
        await output.WriteLineAsync(
            Invariant($"misbehaving: {plan.WellBehaved} well-behaved clients, {plan.WellBehavedRate} messages/s of {plan.PayloadBytes} B, ")
                + Invariant($"{BenchText.Pairs(plan.Pairs)}, legs of {plan.Leg.TotalSeconds} s, beside {plan.Misbehaving} that misbehave ")
                + "and without them");
        await output.WriteLineAsync(MisbehavingText.Heading);
        var direct = await MeasureAsync(
            DirectTarget.Kind, _ => BenchChildren.StartDirectAsync(plan, environment: null, Bounds, cancellationToken), cancellationToken);
        string[] bounds = [.. Bounds, "--Sqs:MaxInFlightBytes", "134217728"];
        var pubsub = await MeasureAsync(
            PubSubTarget.Kind, queue => BenchChildren.StartPubSubAsync(queue, plan, environment: null, bounds, cancellationToken),
            cancellationToken);
        return [direct, pubsub];
    }

    private async Task<MisbehavingFigures> MeasureAsync(
        string name, Func<ChildServer, Task<ChildServer>> start, CancellationToken cancellationToken)
    {
        List<MisbehavingPair> pairs = [];
        for (var i = 0; i < plan.Pairs; i++)
        {
            foreach (var what in plan.Misbehaviours)
            {
                await using var queue = await BenchChildren.StartQueueAsync(cancellationToken);
                await using var server = await start(queue);
                pairs.Add(await PairAsync(server, what, cancellationToken));
                await output.WriteLineAsync(MisbehavingText.Line(name, pairs[^1]));
            }
        }
        var figures = new MisbehavingFigures(name, pairs);
        foreach (var line in MisbehavingText.Verdicts(figures))
            await output.WriteLineAsync(line);
        return figures;
    }

    private async Task<MisbehavingPair> PairAsync(ChildServer server, Misbehaviour what, CancellationToken cancellationToken)
    {
        var target = await ClientTarget.ResolveAsync(server.Address, cancellationToken);
        using var clients = new WellBehavedClients(target, plan.WellBehaved, plan.PayloadBytes, time);
        await clients.ConnectAsync(cancellationToken);
        // Its code is compiled while nothing is measured.
        await clients.RunAsync(plan.WellBehavedRate, plan.Leg, [], cancellationToken);
        var without = await LegAsync(clients, server, [], cancellationToken);
        MisbehavingPair pair;
        if (what == Misbehaviour.None)
        {
            pair = await EndAsync(server, what, without, await LegAsync(clients, server, [], cancellationToken), cut: 0, cancellationToken);
        }
        else
        {
            await using var others = await MisbehavingProgram.StartAsync(server.Address, what, plan.Misbehaving, cancellationToken);
            var beside = await LegAsync(clients, server, MisbehavingClients.QueuesOf(what, plan.Misbehaving), cancellationToken);
            pair = await EndAsync(
                server, what, without, beside, await MisbehavingProgram.CutAsync(others, cancellationToken), cancellationToken);
        }
        await clients.EndAsync();
        return pair;
    }

    private static async Task<MisbehavingPair> EndAsync(
        ChildServer server, Misbehaviour what, WellBehavedLeg without, WellBehavedLeg beside, int cut, CancellationToken cancellationToken)
    {
        using var process = Process.GetProcessById(server.ProcessId);
        var state = await ServerState.ReadAsync(server, cancellationToken);
        return new MisbehavingPair(what, without, beside, cut, process.PeakWorkingSet64, state.MemoryBoundBytes);
    }

    private async Task<WellBehavedLeg> LegAsync(
        WellBehavedClients clients, ChildServer server, IReadOnlyList<string> fed, CancellationToken cancellationToken)
    {
        // What comes before was allocated at once, and is moved by the next collections; what it does first is still to be compiled.
        var (_, missingBefore) = await clients.RunAsync(plan.WellBehavedRate, plan.Leg, fed, cancellationToken);
        var (sorted, missing) = await clients.RunAsync(plan.WellBehavedRate, plan.Leg, fed, cancellationToken);
        if (sorted.Length == 0)
            throw new ChildException(
                $"Nothing of what well-behaved clients sent through {server.Name} came back: look at what it wrote to its log.");
        var copies = sorted.Length + missing;
        return new WellBehavedLeg(
            copies, missingBefore + missing, LegWatch.Percentile(sorted, copies, 0.5), LegWatch.Percentile(sorted, copies, 0.99));
    }
}
