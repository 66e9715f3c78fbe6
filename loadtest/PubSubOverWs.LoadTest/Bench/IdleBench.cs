using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Many connections that do nothing, after CONNECT: memory of the server's process for each, beside a bare echo.</summary>
internal sealed class IdleBench(BenchPlan plan, TextWriter output, TimeProvider time)
{
    /// <summary>Until the memory is read: time for the server to give back what the handshakes took.</summary>
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(3);

    private const int ConnectsUnderWay = 64;

    public async Task<IdleFigures> RunAsync(CancellationToken cancellationToken)
    {
        await output.WriteLineAsync(Invariant($"idle: {plan.IdleConnections} connections"));
        var servers = new List<IdleServer>();
        if (plan.Only != BenchSide.Echo)
            servers.Add(await MeasureAsync(
                stopping => BenchChildren.StartDirectAsync(plan, stopping), StompCommand.Connected, cancellationToken));
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

        long after;
        double first;
        using (var connections = new Connections(target, plan.IdleConnections))
        {
            first = await connections.ConnectAsync(answer, cancellationToken);
            await Task.Delay(Rest, time, cancellationToken);
            after = server.Use.ResidentBytes;
        }
        await Task.Delay(Rest, time, cancellationToken);
        using var again = new Connections(target, plan.IdleConnections);
        var idle = new IdleServer(
            server.Name, plan.IdleConnections, before, after, first, await again.ConnectAsync(answer, cancellationToken));
        await output.WriteLineAsync(BenchText.Line(idle));
        return idle;
    }

    /// <summary>Connections that are opened together and closed together.</summary>
    private sealed class Connections(ClientTarget target, int count) : IDisposable
    {
        private readonly List<StompConnection> _connections = [.. Enumerable.Range(0, count).Select(_ => new StompConnection(target))];

        /// <summary>Seconds until the last one is open.</summary>
        public async Task<double> ConnectAsync(StompCommand answer, CancellationToken cancellationToken)
        {
            var stamp = Stopwatch.GetTimestamp();
            var options = new ParallelOptions { MaxDegreeOfParallelism = ConnectsUnderWay, CancellationToken = cancellationToken };
            await Parallel.ForEachAsync(_connections, options, (connection, _) => OpenAsync(connection, target, answer));
            return Stopwatch.GetElapsedTime(stamp).TotalSeconds;
        }

        public void Dispose() => _connections.ForEach(connection => connection.Dispose());
    }

    private static async ValueTask OpenAsync(StompConnection connection, ClientTarget target, StompCommand answer)
    {
        var failure = await connection.OpenAsync();
        if (failure is null && connection.TrySend(target.ConnectFrame.Span))
            failure = await connection.ExpectAsync(answer);
        if (failure is not null)
            throw new ChildException(
                $"The bench could not open a connection to {target.Address}: {failure.Detail}. Ask for fewer with --connections, or "
                    + "raise the limit of open files.");
    }
}
