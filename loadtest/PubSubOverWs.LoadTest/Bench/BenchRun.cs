using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Measures what the plan names, one after the other, and says what it found.</summary>
public sealed class BenchRun(BenchPlan plan, TextWriter output, TimeProvider time)
{
    /// <summary>How figures of a bench are written.</summary>
    internal static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web)
    { WriteIndented = true, Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) } };

    /// <exception cref="ChildException">A server did not start, or cut a connection.</exception>
    public async Task<BenchReport> RunAsync(CancellationToken cancellationToken)
    {
        var report = new BenchReport
        {
            Started = time.GetUtcNow(),
            Commit = ThisProgram.Commit,
            Cores = Environment.ProcessorCount,
            Runtime = Environment.Version.ToString(),
            Plan = plan,
        };
        foreach (var kind in plan.Kinds)
        {
            report = kind switch
            {
                BenchKind.Relay => report with { Relay = await new RelayBench(plan, output, time).RunAsync(cancellationToken) },
                BenchKind.PubSub => report with { PubSub = await new PubSubBench(plan, output, time).RunAsync(cancellationToken) },
                BenchKind.Queue => report with { Queue = await new QueueBench(plan, output, time).RunAsync(cancellationToken) },
                BenchKind.Misbehaving =>
                    report with { Misbehaving = await new MisbehavingBench(plan, output, time).RunAsync(cancellationToken) },
                _ => report with { Idle = await new IdleBench(plan, output, time).RunAsync(cancellationToken) },
            };
        }

        if (plan.Out is { } path)
            await File.WriteAllTextAsync(path, JsonSerializer.Serialize(report, Json) + "\n", cancellationToken);
        return report;
    }
}
