using PubSubOverWs.LoadTest.Harness.Faults;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Queues;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>The queue behind the servers of an arm.</summary>
public sealed record QueueBehind
{
    // All counts are zero, as of a server without a queue.
    private const string FromTheStart = """{"queue":null}""";

    private readonly ServerGroup _servers;
    private readonly IReadOnlyList<string?> _before;
    private readonly IQueue? _calledByUs;

    private QueueBehind(ServerGroup servers, IReadOnlyList<string?> before, IQueue? calledByUs, DrainProof drain) =>
        (_servers, _before, _calledByUs, Drain) = (servers, before, calledByUs, drain);

    /// <summary>Proves that it is empty.</summary>
    public DrainProof Drain { get; }

    /// <summary>Its process; null: this run did not start it.</summary>
    public IQueueProcess? Process { get; init; }

    /// <summary>What faults do to it; null: no fault reaches it.</summary>
    public IQueueFaults? Faults { get; init; }

    /// <summary>Finds the queues in the /stats of the servers.</summary>
    /// <param name="queue">A client for the queues; null: there is no access to them.</param>
    /// <param name="shared">The name of the queue that several servers share; null: unknown.</param>
    public static async Task<QueueBehind> FindAsync(
        ServerGroup servers, IQueue? queue, string? shared, DrainLooks looks, TimeProvider time, CancellationToken stopping)
    {
        var stats = await servers.ReadStatsAsync(stopping);
        var location = queue is null ? null : LocationOf(servers, stats, queue, shared);
        // A restarted node has a queue with another name, and the others delete that of before.
        if (servers.Count > 1 && location is { } first)
            location = first with
            {
                Now = async asked => LocationOf(servers, await servers.ReadStatsAsync(asked), first.Queue, shared)?.Urls,
            };
        // All calls of servers that this run started belong to this run.
        IReadOnlyList<string?> before = servers.Processes.Count == 0 ? stats : [.. stats.Select(_ => FromTheStart)];
        return new QueueBehind(
            servers, before, queue, await DrainProof.BeginAsync(location, servers.HeldAsync, looks, time, stopping));
    }

    /// <summary>
    /// Calls to it in this block so far, of the servers and of this program. Servers that do not report calls add none. Null: a server was
    /// restarted, and lost its count.
    /// </summary>
    public async Task<long?> CallsAsync(CancellationToken cancellationToken)
    {
        if (_servers.HaveForgotten)
            return null;
        using var counted = new StatsDelta(_servers.Between(_before, await _servers.ReadStatsAsync(cancellationToken)));
        var ours = _calledByUs is { } queue ? Enum.GetValues<QueueCall>().Sum(queue.Traffic.Calls) : 0;
        return ours + (counted.Queue?.Calls.Total ?? 0);
    }

    private static QueueLocation? LocationOf(ServerGroup servers, IReadOnlyList<string?> stats, IQueue queue, string? shared)
    {
        var queues = stats.Select(json => json is null ? null : StatsReader.QueueIn(json))
            .OfType<(string Url, string? DeadLetterUrl, string? ParkedUrl)>().ToList();
        if (queues.Count < servers.Count)
            return null;
        // Several servers share one parked queue.
        List<string> urls = [.. queues.Select(one => one.Url), .. queues.Select(one => one.ParkedUrl).OfType<string>().Distinct()];
        // Each of several reports its own queue. The URL of the shared one differs in the name at its end.
        if (servers.Count > 1 && shared is not null)
            urls.Add(urls[0][..(urls[0].LastIndexOf('/') + 1)] + shared);
        return new QueueLocation(queue, urls, queues[0].DeadLetterUrl);
    }
}

/// <summary>The process of a queue: its own program, or one that others wrote.</summary>
public interface IQueueProcess
{
    /// <summary>How often it was started, including the first time.</summary>
    int Starts { get; }

    /// <summary>Of the current process: starts at zero after a restart.</summary>
    ProcessUse Use { get; }
}
