using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// The direct server and a bare echo, saturated in turn, so that what the machine does meanwhile meets both. The echo moves frames of the
/// mean size of SEND and MESSAGE, so that as many bytes pass through it.
/// </summary>
internal sealed class RelayBench(BenchPlan plan, TextWriter output, TimeProvider time)
{
    private readonly LoadShape _directLoad = new(plan.SaturatingConnections, plan.Depth, plan.PayloadBytes, StompDialect.Create);
    private readonly List<Leg> _legs = [];

    public async Task<RelayFigures> RunAsync(CancellationToken cancellationToken)
    {
        await output.WriteLineAsync(Invariant(
            $"relay: {plan.SaturatingConnections} connections, {plan.Depth} messages under way on each, {plan.PayloadBytes} B payload, ")
                + Invariant($"{BenchText.Pairs(plan.Pairs)} of {plan.Leg.TotalSeconds} s"));
        await using var direct = plan.Only == BenchSide.Echo ? null : await BenchChildren.StartDirectAsync(plan, cancellationToken);
        await using var echo = plan.Only == BenchSide.Direct ? null : await BenchChildren.StartEchoAsync(cancellationToken);
        return await RunAsync(Runner(direct), Runner(echo), cancellationToken);
    }

    private async Task<RelayFigures> RunAsync(LegRunner? direct, LegRunner? echo, CancellationToken cancellationToken)
    {
        // Warm-ups: the first seconds of a process are the compiler's.
        if (direct is not null)
            await direct.RunAsync(_directLoad, plan.Leg, cancellationToken);
        var sendBytes = FrameBytes(plan.PayloadBytes);
        var grow = direct is null ? 0 : (direct.LastFrameBytes - sendBytes) / 2;
        var echoLoad = new LoadShape(
            plan.SaturatingConnections, plan.Depth, plan.PayloadBytes + grow, StompDialect.CreateForEcho);
        if (echo is not null)
            await echo.RunAsync(echoLoad, plan.Leg, cancellationToken);

        var figures = new RelayFigures(sendBytes, direct?.LastFrameBytes, FrameBytes(echoLoad.BodyBytes), _legs);
        await output.WriteLineAsync(BenchText.EchoSize(figures));
        await output.WriteLineAsync(BenchText.Heading);
        for (var pair = 0; pair < plan.Pairs; pair++)
        {
            await MeasureAsync(direct, _directLoad, cancellationToken);
            await MeasureAsync(echo, echoLoad, cancellationToken);
        }

        if (BenchText.Verdict(figures) is { } verdict)
            await output.WriteLineAsync(verdict);
        return figures;
    }

    private async Task MeasureAsync(LegRunner? runner, LoadShape load, CancellationToken cancellationToken)
    {
        if (runner is null)
            return;
        var leg = await runner.RunAsync(load, plan.Leg, cancellationToken);
        _legs.Add(leg);
        await output.WriteLineAsync(BenchText.Line(leg));
    }

    private LegRunner? Runner(ChildServer? server) => server is null ? null : new LegRunner(server, queue: null, time);

    private static int FrameBytes(int bodyBytes) =>
        new FrameTrain(0, LegRunner.Destination(0, 0), new byte[bodyBytes], count: 1).FrameBytes;
}
