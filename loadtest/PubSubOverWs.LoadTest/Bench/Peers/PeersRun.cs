using System.Runtime.CompilerServices;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Runs;

namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary>Measures the rows of the plan, one after the other, and says what it found.</summary>
internal sealed class PeersRun(PeersPlan plan, TextWriter output, TimeProvider time)
{
    /// <exception cref="ChildException">One of our servers did not start, or cut a connection.</exception>
    public async Task<PeersReport> RunAsync(CancellationToken cancellationToken)
    {
        using var secure = plan.Secure ? await SecureFiles.CreateAsync(cancellationToken) : null;
        var (here, states) = await Contender.FindAsync(plan, secure, time, cancellationToken);
        var benches = Benches();
        var report = new PeersReport
        {
            Started = time.GetUtcNow(),
            Machine = MachineDescription.Make(),
            Plan = plan,
            Servers = states,
        };
        foreach (var line in PeersText.Beginning(report, benches.Aggregate(
            TimeSpan.Zero, (sum, bench) => sum + bench.Estimate([.. here.Where(bench.Has)]))))
            await output.WriteLineAsync(line);
        foreach (var bench in benches)
        {
            var before = report.Rows;
            await foreach (var figures in RunAsync(bench, [.. here.Where(bench.Has)], cancellationToken))
            {
                report = report with { Rows = [.. before, .. figures] };

                // After each pair: an hour of figures must not be lost with the last of them.
                await WriteAsync(report);
            }

            foreach (var line in report.Rows.Skip(before.Count).SelectMany(row => PeersText.Table(report, row)))
                await output.WriteLineAsync(line);

            // Not before: it says that each row has all pairs.
            if (plan.Markdown is { } markdown)
                await File.WriteAllLinesAsync(markdown, PeersText.Markdown(report), cancellationToken);
        }

        return report;
    }

    private List<RowBench> Benches()
    {
        List<RowBench> all =
        [
            new CpuRow(plan, PeerRow.Cpu, Writes.Single, time),
            new CpuRow(plan, PeerRow.CpuTogether, Writes.Together, time),
            new IdleRows(plan, time),
            new FanOutRow(plan, time),
            new PubSubRows(plan, time),
        ];
        return [.. all.Where(bench => bench.Rows.Any(plan.Has))];
    }

    // All that was measured so far, after each pair.
    private async IAsyncEnumerable<IReadOnlyList<RowFigures>> RunAsync(
        RowBench bench, IReadOnlyList<Contender> servers, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var values = bench.Rows.ToDictionary(row => row, _ => new List<PeerValue>());
        Dictionary<string, string> failed = [];
        await output.WriteLineAsync();
        foreach (var row in bench.Rows)
            await output.WriteLineAsync(row.Title);
        await using (bench)
        {
            for (var pair = 1; pair <= plan.Pairs; pair++)
            {
                // There and back, so that a machine that becomes slower meets all alike.
                var order = pair % 2 == 1 ? servers : servers.Reverse();
                foreach (var server in order.Where(server => !failed.ContainsKey(server.Name)))
                {
                    try
                    {
                        var leg = await bench.LegAsync(server, cancellationToken);
                        foreach (var (row, value) in leg)
                            values[row].Add(new PeerValue(server.Name, pair, value));
                        await output.WriteLineAsync(PeersText.Leg(pair, server.Name, leg));
                    }
                    catch (ChildException error) when (!server.IsOurs)
                    {
                        failed[server.Name] = error.Message;
                    }
                }

                yield return [.. bench.Rows.Select(row => new RowFigures(row.Id, [.. values[row]]) { Failed = failed.ToDictionary() })];
            }
        }
    }

    // No token: what is there is replaced as a whole.
    private async Task WriteAsync(PeersReport report)
    {
        if (plan.Out is { } path)
            await File.WriteAllTextAsync(path, JsonSerializer.Serialize(report, BenchRun.Json) + "\n", CancellationToken.None);
    }
}
