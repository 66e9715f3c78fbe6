using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// The embedded queue by itself, through both clients in turn: how fast it is filled and emptied in batches (in turn with another server,
/// where one is named), what that costs the client, how long a message takes at a steady rate, what waiting polls cost, and how much memory
/// messages take.
/// </summary>
internal sealed class QueueBench(BenchPlan plan, TextWriter output, TimeProvider time)
{
    // The beginning of a poll is not part of the cost of waiting.
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(3);

    // The longest poll that SQS knows.
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(20);

    // The key that LocalSqs knows by default, and that servers which stand in for SQS take.
    private const string Key = "test";

    public async Task<QueueFigures> RunAsync(CancellationToken cancellationToken)
    {
        await output.WriteLineAsync(Invariant(
            $"queue: {plan.QueueMessages} messages of {plan.PayloadBytes} B in and out, in tens, {QueueLoad.Callers} calls under way; ")
                + Invariant(
                    $"then {plan.PacedRate}/s for {plan.Leg.TotalSeconds} ")
                        + Invariant($"s{(plan.Beside is { } other ? $", in turn with {other}" : "")}"));
        await output.WriteLineAsync(BenchText.QueueHeading);
        await using var queue = await BenchChildren.StartQueueAsync(cancellationToken);
        var legs = new List<QueueLeg>();
        // The first of each is for warming up.
        for (var pair = 0; pair <= plan.Pairs; pair++)
        {
            foreach (var client in Clients(pair))
            {
                QueueLeg[] both = plan.Beside is { } beside
                    ? [await LegAsync(queue.Address, "localsqs", client, queue, cancellationToken),
                        await LegAsync(beside, beside.Authority, client, null, cancellationToken)]
                    : [await LegAsync(queue.Address, "localsqs", client, queue, cancellationToken)];
                if (pair == 0)
                    continue;
                legs.AddRange(both);
                foreach (var leg in both)
                    await output.WriteLineAsync(BenchText.Line(leg));
            }
        }
        var idle = await IdleAsync(cancellationToken);
        var figures = new QueueFigures(legs, plan.IdlePolls, idle, plan.QueuedMessages, await ResidentAsync(cancellationToken));
        foreach (var line in BenchText.Verdicts(figures))
            await output.WriteLineAsync(line);
        return figures;
    }

    // The one that is first has the queue's process as the other left it: so they take turns in that, too.
    private IEnumerable<SqsClientKind> Clients(int pair) => plan.SqsClient is { } alone ? [alone]
        : pair % 2 == 0 ? [SqsClientKind.Http, SqsClientKind.AwsSdk]
        : [SqsClientKind.AwsSdk, SqsClientKind.Http];

    private async Task<QueueLeg> LegAsync(
        Uri address, string name, SqsClientKind client, ChildServer? process, CancellationToken cancellationToken)
    {
        var sqs = SqsClient.Create(Options(address, client), time);
        using var connections = (IDisposable)sqs;
        var url = await sqs.CreateQueueAsync($"bench-{Guid.NewGuid():n}", new QueueSettings(), cancellationToken);
        try
        {
            var load = new QueueLoad(sqs, url, plan.PayloadBytes);
            var (own, allocated) = (Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: true));
            var (cpu0, start) = (Cpu(process), time.GetTimestamp());
            await load.SendAsync(plan.QueueMessages, cancellationToken);
            var (cpu1, sent) = (Cpu(process), time.GetTimestamp());
            await load.TakeAsync(plan.QueueMessages, cancellationToken);
            var (cpu2, taken) = (Cpu(process), time.GetTimestamp());
            var use = new ClientUse(
                (Environment.CpuUsage.TotalTime - own).TotalSeconds, GC.GetTotalAllocatedBytes(precise: true) - allocated);
            return new QueueLeg(
                name, Kebab.Of(client), plan.QueueMessages, time.GetElapsedTime(start, sent).TotalSeconds,
                time.GetElapsedTime(sent, taken).TotalSeconds,
                cpu1 - cpu0, cpu2 - cpu1, use, await new PacedQueue(sqs, url, plan, time).RunAsync(cancellationToken));
        }
        finally
        {
            // Also when the bench was stopped.
            await sqs.DeleteQueueAsync(url, CancellationToken.None);
        }
    }

    private async Task<double> IdleAsync(CancellationToken cancellationToken)
    {
        await using var queue = await BenchChildren.StartQueueAsync(cancellationToken);
        using var sqs = Connect(queue.Address);
        var url = await sqs.CreateQueueAsync("idle", new QueueSettings(), cancellationToken);
        var request = new ReceiveRequest { WaitTime = Longest };
        // No token: the queue ends them when it stops, below or with this method.
        var polls = Enumerable.Range(0, plan.IdlePolls).Select(_ => sqs.ReceiveMessagesAsync(url, request, CancellationToken.None).AsTask())
            .ToArray();
        await Task.Delay(Rest, time, cancellationToken);
        var (cpu, start) = (Cpu(queue), time.GetTimestamp());
        await Task.Delay(plan.Leg < Longest - 2 * Rest ? plan.Leg : Longest - 2 * Rest, time, cancellationToken);
        var cores = (Cpu(queue) - cpu).GetValueOrDefault() / time.GetElapsedTime(start).TotalSeconds;
        // It ends its polls when it stops.
        await queue.StopAsync();
        await ((Task)Task.WhenAll(polls)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return cores;
    }

    private async Task<long> ResidentAsync(CancellationToken cancellationToken)
    {
        await using var queue = await BenchChildren.StartQueueAsync(cancellationToken);
        using var sqs = Connect(queue.Address);
        var url = await sqs.CreateQueueAsync("full", new QueueSettings(), cancellationToken);
        await new QueueLoad(sqs, url, bodyBytes: 100).SendAsync(plan.QueuedMessages, cancellationToken);
        return queue.Use.ResidentBytes;
    }

    // Always this client: the figures here are of the queue.
    private SqsOverHttp Connect(Uri address) => new(Options(address, SqsClientKind.Http), time);

    private static SqsOptions Options(Uri address, SqsClientKind client) =>
        new() { Client = client, Endpoint = address.ToString(), Region = "us-east-1", AccessKey = Key, SecretKey = Key };

    private static double? Cpu(ChildServer? process) => process?.Use.Cpu.TotalSeconds;
}
