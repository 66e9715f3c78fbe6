using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Processes;
using static System.FormattableString;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// What connections that never read cost those who do: the readers' latency at a fixed rate beside them, beside the same while they read,
/// and without them, in turn, in a server with a heap of 1 GiB that lets them be. Then what one does that disconnects them.
/// </summary>
internal sealed class ReadersBench(BenchPlan plan, TextWriter output, TimeProvider time)
{
    private const long HeapBytes = 1L << 30;
    private static readonly Dictionary<string, string> Heap = new() { ["DOTNET_GCHeapHardLimit"] = $"0x{HeapBytes:x}" };
    private static readonly string[] LetThemBe = ["--Relay:SlowConsumerTimeout", "00:00:00"];

    // Time enough to read at last for the first who was ended, when the last one is.
    private static readonly string[] Disconnect = ["--Relay:SlowConsumer", "Disconnect", "--Relay:CloseTimeout", "00:00:30"];

    public async Task<IReadOnlyList<ReadersFigures>> RunAsync(CancellationToken cancellationToken)
    {
        await output.WriteLineAsync(Invariant(
            $"readers: {plan.Readers} connections that read, {plan.ReadersRate} messages/s of {plan.PayloadBytes} B, ")
                + Invariant(
                    $"{BenchText.Pairs(plan.Pairs)}, legs of {plan.Leg.TotalSeconds} s, beside {plan.Deaf} that never read and without ")
                        + Invariant($"them; server with a heap of 1 GiB"));
        await output.WriteLineAsync(ReadersText.Heading);
        var direct = await MeasureAsync(settings => BenchChildren.StartDirectAsync(Heap, settings, cancellationToken), cancellationToken);
        await using var queue = await BenchChildren.StartQueueAsync(cancellationToken);
        var pubsub = await MeasureAsync(
            settings => BenchChildren.StartPubSubAsync(queue, plan, Heap, settings, cancellationToken), cancellationToken);
        return [direct, pubsub];
    }

    private async Task<ReadersFigures> MeasureAsync(Func<string[], Task<ChildServer>> start, CancellationToken cancellationToken)
    {
        var figures = await WithReadersAsync(start(LetThemBe), async (readers, server) =>
        {
            var limit = (await ServerState.ReadAsync(server, cancellationToken)).HeapLimitBytes;
            if (limit != HeapBytes)
                throw new ChildException($"{server.Name} has a heap of {limit} B instead of {HeapBytes} B.", ChildException.Unreachable);
            return (server.Name, Pairs: await readers.RunAsync(cancellationToken), Limit: limit, Peak: readers.PeakResidentBytes());
        }, cancellationToken);
        var end = await WithReadersAsync(start(Disconnect), (readers, _) => readers.EndAsync(cancellationToken), cancellationToken);
        var all = new ReadersFigures(figures.Name, figures.Pairs, figures.Limit, figures.Peak, end);
        foreach (var line in ReadersText.Verdicts(all))
            await output.WriteLineAsync(line);
        return all;
    }

    private async Task<T> WithReadersAsync<T>(
        Task<ChildServer> starting, Func<ReadersPairs, ChildServer, Task<T>> run, CancellationToken cancellationToken)
    {
        await using var server = await starting;
        using var readers = new ReadersPairs(
            plan, server, await ClientTarget.ResolveAsync(server.Address, cancellationToken), output, time);
        await readers.ConnectAsync(cancellationToken);
        var found = await run(readers, server);
        await readers.LeaveAsync();
        return found;
    }
}
