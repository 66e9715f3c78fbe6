using System.Diagnostics;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Readers on one server, who stay while others come, stop to read, and go.</summary>
internal sealed class ReadersPairs(
    BenchPlan plan, ChildServer server, ClientTarget target, TextWriter output, TimeProvider time) : IDisposable
{
    // For what comes or goes to be done with.
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(1);

    // After one, p99 of the second was still a third of that of the first.
    private const int WarmUps = 3;

    // Twice what the pubsub server hides a message for, at the most.
    private static readonly TimeSpan LongestHidden = TimeSpan.FromSeconds(120);

    private readonly ReaderCrowd _readers = new(target, plan.Readers, plan.PayloadBytes, time);

    public Task ConnectAsync(CancellationToken cancellationToken) => _readers.ConnectAsync(cancellationToken);

    /// <summary>Legs to warm up, and the pairs.</summary>
    public async Task<IReadOnlyList<ReadersPair>> RunAsync(CancellationToken cancellationToken)
    {
        for (var i = 0; i < WarmUps; i++)
            await _readers.RunAsync(plan.ReadersRate, plan.Leg, deaf: 0, cancellationToken);
        List<ReadersPair> pairs = [];
        for (var i = 0; i < plan.Pairs; i++)
        {
            var first = await LegAsync(ReadersSide.Without, cancellationToken);
            var (reading, deaf) = await BesideAsync(cancellationToken);
            var last = await LegAsync(ReadersSide.Without, cancellationToken);
            pairs.Add(i % 2 == 0 ? new ReadersPair(first, reading, deaf, last) : new ReadersPair(last, reading, deaf, first));
        }
        return pairs;
    }

    /// <summary>
    /// Connections that do not read come, are filled until the server has ended every one of them, and look what it told them.
    /// </summary>
    public async Task<ReadersEnd> EndAsync(CancellationToken cancellationToken)
    {
        using var deaf = new DeafCrowd(target, plan.Deaf);
        await deaf.ConnectAsync(cancellationToken);
        await FillAsync(state => state.Slow >= plan.Deaf, cancellationToken);
        var told = await deaf.ReadToEndAsync(cancellationToken);
        await Task.Delay(Rest, time, cancellationToken);
        var afterwards = await LegAsync(ReadersSide.Without, cancellationToken);
        return new ReadersEnd(plan.Deaf, afterwards.Slow, told, afterwards);
    }

    /// <summary>Of the server's process until now; 0 where the system does not tell.</summary>
    public long PeakResidentBytes()
    {
        using var process = Process.GetProcessById(server.ProcessId);
        return process.PeakWorkingSet64;
    }

    /// <summary>Completes when every connection has ended.</summary>
    public Task LeaveAsync() => _readers.EndAsync();

    public void Dispose() => _readers.Dispose();

    private async Task<(ReadersLeg Reading, ReadersLeg Deaf)> BesideAsync(CancellationToken cancellationToken)
    {
        using var crowd = new DeafCrowd(target, plan.Deaf);
        await crowd.ConnectAsync(cancellationToken);
        crowd.Read();
        await Task.Delay(Rest, time, cancellationToken);
        var reading = await LegAsync(ReadersSide.Reading, cancellationToken);
        crowd.Stop();
        var fullness = new Fullness();
        await FillAsync(state => fullness.IsReachedAt(state.Taken), cancellationToken);
        await Task.Delay(Rest, time, cancellationToken);
        var deaf = await LegAsync(ReadersSide.Deaf, cancellationToken);
        await crowd.EndAsync();
        await EmptyAsync(cancellationToken);
        await Task.Delay(Rest, time, cancellationToken);
        return (reading, deaf);
    }

    // What nobody took is dropped when it comes back, for nobody subscribes to it any more: the pubsub server hides what it cannot hold,
    // for longer from time to time.
    private async Task EmptyAsync(CancellationToken cancellationToken)
    {
        var start = time.GetTimestamp();
        while ((await ServerState.ReadAsync(server, cancellationToken)).InQueue is > 0 and var left)
        {
            if (time.GetElapsedTime(start) > LongestHidden)
                throw new ChildException(
                    $"{server.Name} has {left} messages in its queue that nobody wants, {LongestHidden.TotalSeconds:0} s after their "
                        + "subscribers left.", ChildException.Unreachable);
            await Task.Delay(Rest, time, cancellationToken);
        }
    }

    private async Task FillAsync(Predicate<ServerState> isDone, CancellationToken cancellationToken)
    {
        using var filling = new Filling(target, [.. Enumerable.Range(0, plan.Deaf).Select(DeafCrowd.Destination)], DeafCrowd.FillingBytes);
        await filling.ConnectAsync(cancellationToken);
        await filling.UntilAsync(async () => isDone(await ServerState.ReadAsync(server, cancellationToken)), cancellationToken);
    }

    private async Task<ReadersLeg> LegAsync(ReadersSide side, CancellationToken cancellationToken)
    {
        var deaf = side == ReadersSide.Without ? 0 : plan.Deaf;
        // Unmeasured: what came before the leg was allocated at once, and is moved by the first collections in it.
        await _readers.RunAsync(plan.ReadersRate, plan.Leg, deaf, cancellationToken);
        var before = await ServerState.ReadAsync(server, cancellationToken);
        var (sorted, missing) = await _readers.RunAsync(plan.ReadersRate, plan.Leg, deaf, cancellationToken);
        if (sorted.Length == 0)
            throw new ChildException(
                $"Nothing of what readers sent through {server.Name} came back: look at what it wrote to its log.",
                ChildException.Unreachable);
        var after = await ServerState.ReadAsync(server, cancellationToken);
        var messages = sorted.Length + missing;
        var leg = new ReadersLeg(
            side, messages, missing, ReadersLeg.Percentile(sorted, messages, 0.5), ReadersLeg.Percentile(sorted, messages, 0.99),
            server.Use.ResidentBytes, after.HeapBytes,
            [.. after.Collections.Zip(before.Collections, (now, then) => now - then)], (after.Paused - before.Paused).TotalMilliseconds,
            after.Slow);
        await output.WriteLineAsync(ReadersText.Line(server.Name, leg));
        return leg;
    }
}
