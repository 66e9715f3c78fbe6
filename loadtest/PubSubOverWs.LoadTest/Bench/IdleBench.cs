using System.Diagnostics;
using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Many connections that do nothing, after CONNECT: memory of the server's process for each, beside a bare echo.</summary>
internal sealed class IdleBench(BenchPlan plan, TextWriter output, TimeProvider time)
{
    /// <summary>Until the memory is read: time for the server to give back what the handshakes took.</summary>
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(3);

    private const int ConnectsUnderWay = 64;

    public async Task<IdleFigures> RunAsync(CancellationToken cancellationToken)
    {
        await output.WriteLineAsync(BenchText.Invariant($"idle: {plan.IdleConnections} connections"));
        var servers = new List<IdleServer>();
        if (plan.Only != BenchSide.Echo)
            servers.Add(await MeasureAsync(BenchChildren.StartDirectAsync, StompCommand.Connected, cancellationToken));
        if (plan.Only != BenchSide.Direct)
            servers.Add(await MeasureAsync(BenchChildren.StartEchoAsync, StompCommand.Connect, cancellationToken));

        var figures = new IdleFigures(servers);
        if (BenchText.Verdict(figures) is { } verdict)
            await output.WriteLineAsync(verdict);
        return figures;
    }

    /// <param name="start">Starts the server.</param>
    /// <param name="answer">To CONNECT: an echo sends it back.</param>
    /// <param name="cancellationToken">Cuts the measurement.</param>
    private async Task<IdleServer> MeasureAsync(
        Func<CancellationToken, Task<ChildServer>> start, StompCommand answer, CancellationToken cancellationToken)
    {
        await using var server = await start(cancellationToken);
        var target = await ClientTarget.ResolveAsync(server.Address, cancellationToken);
        await Task.Delay(Rest, time, cancellationToken);
        var before = server.Use.ResidentBytes;

        var connections = Enumerable.Range(0, plan.IdleConnections).Select(_ => new StompConnection(target)).ToList();
        try
        {
            var stamp = Stopwatch.GetTimestamp();
            var options = new ParallelOptions { MaxDegreeOfParallelism = ConnectsUnderWay, CancellationToken = cancellationToken };
            await Parallel.ForEachAsync(connections, options, (connection, _) => ConnectAsync(connection, target, answer));
            var seconds = Stopwatch.GetElapsedTime(stamp).TotalSeconds;
            await Task.Delay(Rest, time, cancellationToken);
            var idle = new IdleServer(server.Name, connections.Count, before, server.Use.ResidentBytes, seconds);
            await output.WriteLineAsync(BenchText.Line(idle));
            return idle;
        }
        finally
        {
            connections.ForEach(connection => connection.Dispose());
        }
    }

    private static async ValueTask ConnectAsync(StompConnection connection, ClientTarget target, StompCommand answer)
    {
        var failure = await connection.OpenAsync();
        if (failure is null && connection.TrySend(StompMessages.Connect(target.Host)))
            failure = await connection.ExpectAsync(answer);
        if (failure is not null)
            throw new ChildException(
                $"The bench could not open a connection to {target.Address}: {failure.Detail}. Ask for fewer with --connections, or raise the limit of open files.",
                ChildException.Unreachable);
    }
}
