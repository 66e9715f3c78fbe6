using System.Text.Json;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.LoadTest.Load.Drain;
using PubSubOverWs.LoadTest.Load.Iterations;
using PubSubOverWs.LoadTest.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What each arm's turns are run against in one block: the fleet's servers, or those that were already there.</summary>
public sealed class Arena : IDisposable
{
    private const string FromTheStart = """{"queue":{}}""";

    private readonly Dictionary<string, ServerUnderTest> _servers = [];
    private readonly List<IDisposable> _open = [];
    private readonly TimeProvider _time;
    private StatsReader? _pubsub;
    private string? _before;
    private ISqs? _sqs;

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
            && queue.TryGetProperty("url", out var url) && url.GetString() is { } named
            ? (named, queue.TryGetProperty("deadLetterUrl", out var dead) ? dead.GetString() : null)
            : null;
    }

    /// <summary>Calls to the queue in this block so far, of the pubsub server and of this program. A server that does not tell adds none.</summary>
    public async Task<long> QueueCallsAsync(CancellationToken cancellationToken)
    {
        var own = _sqs is null ? 0 : Enum.GetValues<SqsCall>().Sum(_sqs.Traffic.Calls);
        if (_pubsub is null)
            return own;
        using var counted = new StatsDelta(_before, await _pubsub.ReadAsync(cancellationToken));
        return own + (counted.Queue?.Calls.Total ?? 0);
    }

    public void Dispose() => _open.ForEach(one => one.Dispose());

    private async Task<ServerUnderTest> ServerAsync(string arm, RunRequest request, Fleet fleet, CancellationToken stopping)
    {
        var child = arm == Arms.Direct ? fleet.Direct : fleet.PubSub;
        var address = child?.Address ?? (arm == Arms.Direct ? request.Direct! : request.PubSub!);
        var stats = Keep(new StatsReader(address));
        var drain = arm == Arms.PubSub
            ? await DrainProof.BeginAsync(await QueueAsync(stats, request.Queue, fleet, stopping), stats.HeldAsync, request.Queue.Looks, _time, stopping)
            : null;
        var queue = arm == Arms.PubSub ? fleet.LocalSqs : null;
        return new ServerUnderTest(await ClientTarget.ResolveAsync(address, stopping), stats, drain, child, queue, fleet.IdleBeside(child));
    }

    // The server knows best what its queue is called: ours by name, another's by reading it there.
    private async Task<QueueLocation?> QueueAsync(StatsReader stats, QueueTarget target, Fleet fleet, CancellationToken stopping)
    {
        _sqs = fleet.Queue?.Sqs ?? (target is EmbeddedTarget ? null : Keep(target.Connect(localSqs: null, _time)));
        var json = await stats.ReadAsync(stopping);
        // A server of this run has called the queue for this run alone, from its start on.
        (_pubsub, _before) = (stats, fleet.PubSub is null ? json : FromTheStart);
        return _sqs is not null && json is not null && QueueIn(json) is { } queue ? new QueueLocation(_sqs, queue.Url, queue.DeadLetterUrl) : null;
    }

    private T Keep<T>(T one)
        where T : IDisposable
    {
        _open.Add(one);
        return one;
    }
}
