using System.Text.Json;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.LoadTest.Load.Drain;
using PubSubOverWs.LoadTest.Load.Iterations;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What each arm's turns are run against in one block: the fleet's servers, or those that were already there.</summary>
public sealed class Arena : IDisposable
{
    private readonly Dictionary<string, ServerUnderTest> _servers = [];
    private readonly List<IDisposable> _open = [];
    private readonly TimeProvider _time;

    private Arena(TimeProvider time) => _time = time;

    public ServerUnderTest this[string arm] => _servers[arm];

    public static async Task<Arena> OpenAsync(RunJob job, Fleet fleet, TimeProvider time, CancellationToken stopping)
    {
        var arena = new Arena(time);
        try
        {
            foreach (var arm in job.Scenario.Arms)
                arena._servers[arm] = await arena.ServerAsync(arm, job.Request, fleet, stopping);
            if (fleet.Echo is { } echo)
                arena._servers[Arms.Floor] = new ServerUnderTest(
                    await ClientTarget.ResolveAsync(echo.Address, stopping), Stats: null, Drain: null, echo, Queue: null, fleet.IdleBeside(echo));
            return arena;
        }
        catch
        {
            arena.Dispose();
            throw;
        }
    }

    /// <summary>The queue that a server's <c>/stats</c> names; null: it has none.</summary>
    public static (string Url, string? DeadLetterUrl)? QueueIn(string stats)
    {
        using var document = JsonDocument.Parse(stats);
        return document.RootElement.TryGetProperty("queue", out var queue) && queue.ValueKind == JsonValueKind.Object
            ? (queue.GetProperty("url").GetString()!, queue.TryGetProperty("deadLetterUrl", out var dead) ? dead.GetString() : null)
            : null;
    }

    public void Dispose() => _open.ForEach(one => one.Dispose());

    private async Task<ServerUnderTest> ServerAsync(string arm, RunRequest request, Fleet fleet, CancellationToken stopping)
    {
        var child = arm == Arms.Direct ? fleet.Direct : fleet.PubSub;
        var address = child?.Address ?? (arm == Arms.Direct ? request.Direct! : request.PubSub!);
        var stats = Keep(new StatsReader(address));
        var drain = arm == Arms.PubSub
            ? await DrainProof.BeginAsync(await QueueAsync(stats, request.SqsEndpoint, fleet, stopping), stats.HeldAsync, _time, stopping)
            : null;
        var queue = arm == Arms.PubSub ? fleet.LocalSqs : null;
        return new ServerUnderTest(await ClientTarget.ResolveAsync(address, stopping), stats, drain, child, queue, fleet.IdleBeside(child));
    }

    // The server knows best what its queue is called: ours by name, another's by reading it there.
    private async Task<QueueLocation?> QueueAsync(StatsReader stats, Uri? endpoint, Fleet fleet, CancellationToken stopping)
    {
        var sqs = fleet.Queue?.Sqs ?? (endpoint is null ? null : Keep(QueuePair.Connect(endpoint, isLocalSqs: false, _time)) as ISqs);
        if (sqs is null || await stats.ReadAsync(stopping) is not { } json || QueueIn(json) is not { } queue)
            return null;
        return new QueueLocation(sqs, queue.Url, queue.DeadLetterUrl);
    }

    private T Keep<T>(T one)
        where T : IDisposable
    {
        _open.Add(one);
        return one;
    }
}
