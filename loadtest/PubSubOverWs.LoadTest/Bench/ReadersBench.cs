using System.Globalization;
using System.Text.Json;
using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.LoadTest.Load.Drain;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// What connections that never read cost those who do: the readers' latency at a fixed rate beside them and without them, in turn, in a server with a heap of 1 GiB that is
/// told to let them be.
/// </summary>
internal sealed class ReadersBench(BenchPlan plan, TextWriter output, TimeProvider time)
{
    // Until those who do not read have all that is kept for them.
    private static readonly TimeSpan Fill = TimeSpan.FromSeconds(8);
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(2);
    private static readonly Dictionary<string, string> Heap = new() { ["DOTNET_GCHeapHardLimit"] = "0x40000000" };
    private static readonly string[] LetThemBe = ["--Relay:SlowConsumerTimeout", "00:00:00"];

    public async Task<IReadOnlyList<ReadersFigures>> RunAsync(CancellationToken cancellationToken)
    {
        await output.WriteLineAsync(BenchText.Invariant(
            $"readers: {plan.Readers} connections that read, {plan.Rate} messages/s of {plan.PayloadBytes} B, {plan.Pairs} pairs of {plan.Leg.TotalSeconds} s, beside {plan.Deaf} that never read and without them; server with a heap of 1 GiB"));
        await output.WriteLineAsync(BenchText.ReadersHeading);
        List<ReadersFigures> figures = [];
        await using (var direct = await ChildServer.StartAsync(ChildCommand.Direct(LetThemBe) with { Environment = Heap }, new ChildOptions(), cancellationToken))
            figures.Add(await MeasureAsync(direct, cancellationToken));
        await using var queue = await BenchChildren.StartQueueAsync(cancellationToken);
        await using var pubsub = await ChildServer.StartAsync(
            ChildCommand.PubSub(Heap,
            [
                "--Sqs:Endpoint", queue.Address.ToString(), "--Sqs:Queue", "bench", "--Sqs:Region", "us-east-1", "--Sqs:AccessKey", "test", "--Sqs:SecretKey", "test",
                "--Sqs:WaitTime", "00:00:05", "--Sqs:Sending:Pack", plan.Pack.ToString(CultureInfo.InvariantCulture), .. LetThemBe,
            ]),
            new ChildOptions(), cancellationToken);
        figures.Add(await MeasureAsync(pubsub, cancellationToken));
        return figures;
    }

    private async Task<ReadersFigures> MeasureAsync(ChildServer server, CancellationToken cancellationToken)
    {
        var target = await ClientTarget.ResolveAsync(server.Address, cancellationToken);
        using var crowd = new ReaderCrowd(target, plan.Readers, plan.PayloadBytes, time);
        await crowd.ConnectAsync(cancellationToken);
        // For warming up.
        await crowd.RunAsync(plan.Rate, plan.Leg, cancellationToken);
        List<ReadersPair> pairs = [];
        for (var i = 0; i < plan.Pairs; i++)
        {
            var first = await LegAsync(server, crowd, deaf: 0, cancellationToken);
            var beside = await BesideAsync(server, target, crowd, cancellationToken);
            var last = await LegAsync(server, crowd, deaf: 0, cancellationToken);
            pairs.Add(i % 2 == 0 ? new ReadersPair(first, beside, last) : new ReadersPair(last, beside, first));
        }
        await crowd.EndAsync();
        var figures = new ReadersFigures(server.Name, pairs);
        foreach (var line in BenchText.Verdicts(figures))
            await output.WriteLineAsync(line);
        return figures;
    }

    private async Task<ReadersLeg> BesideAsync(ChildServer server, ClientTarget target, ReaderCrowd crowd, CancellationToken cancellationToken)
    {
        using var deaf = new DeafCrowd(target, plan.Deaf, time);
        await deaf.ConnectAsync(cancellationToken);
        await Task.Delay(Fill, time, cancellationToken);
        var leg = await LegAsync(server, crowd, plan.Deaf, cancellationToken);
        await deaf.EndAsync();
        await Task.Delay(Rest, time, cancellationToken);
        return leg;
    }

    private async Task<ReadersLeg> LegAsync(ChildServer server, ReaderCrowd crowd, int deaf, CancellationToken cancellationToken)
    {
        var (sorted, missing) = await crowd.RunAsync(plan.Rate, plan.Leg, cancellationToken);
        if (sorted.Length == 0)
            throw new ChildException($"Nothing of what readers sent through {server.Name} came back: look at what it wrote to its log.", ChildException.Unreachable);
        var leg = new ReadersLeg(
            server.Name, deaf, sorted.Length + missing, missing, Percentile(sorted, 0.5), Percentile(sorted, 0.99), server.Use.ResidentBytes,
            await SlowAsync(server, cancellationToken));
        await output.WriteLineAsync(BenchText.Line(leg));
        return leg;
    }

    // The nearest rank.
    private static double Percentile(double[] sorted, double share) => sorted[(int)Math.Ceiling(share * sorted.Length) - 1];

    private static async Task<long> SlowAsync(ChildServer server, CancellationToken cancellationToken)
    {
        using var reader = new StatsReader(server.Address);
        var json = await reader.ReadAsync(cancellationToken)
            ?? throw new ChildException($"{server.Name} did not tell its /stats.", ChildException.Unreachable);
        using var stats = JsonDocument.Parse(json);
        return stats.RootElement.GetProperty("connections").GetProperty("slow").GetInt64();
    }
}
