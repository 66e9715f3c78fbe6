using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// The pubsub server with the embedded queue, saturated: every message is sent to the queue, received, delivered and deleted.
/// </summary>
internal sealed class PubSubBench(BenchPlan plan, TextWriter output, TimeProvider time)
{
    public async Task<Leg> RunAsync(CancellationToken cancellationToken)
    {
        await output.WriteLineAsync(Invariant(
            $"{PubSubTarget.Kind}: {plan.SaturatingConnections} connections, {plan.Depth} messages under way on each, ")
                + Invariant($"{plan.PayloadBytes} B payload, up to {plan.Pack} in an SQS message, one leg of {plan.Leg.TotalSeconds} s"));
        await using var queue = await BenchChildren.StartQueueAsync(cancellationToken);
        await using var server = await BenchChildren.StartPubSubAsync(queue, plan, cancellationToken);
        var runner = new LegRunner(server, queue, time);
        var load = new LoadShape(plan.SaturatingConnections, plan.Depth, plan.PayloadBytes, StompDialect.Create);

        await runner.RunAsync(load, plan.Leg, cancellationToken);
        var leg = await runner.RunAsync(load, plan.Leg, cancellationToken);
        await output.WriteLineAsync(BenchText.Heading);
        await output.WriteLineAsync(BenchText.Line(leg));
        return leg;
    }
}
