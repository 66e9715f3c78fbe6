using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>The queue behind the servers of an arm.</summary>
public sealed record QueueBehind
{
    // All counts are zero, as of a server without a queue.
    private const string FromTheStart = """{"queue":null}""";

    private readonly ServerGroup _servers;
    private readonly IReadOnlyList<string?> _before;
    private readonly ISqs? _calledByUs;

    private QueueBehind(ServerGroup servers, IReadOnlyList<string?> before, ISqs? calledByUs, DrainProof drain) =>
        (_servers, _before, _calledByUs, Drain) = (servers, before, calledByUs, drain);

    /// <summary>Proves that it is empty.</summary>
    public DrainProof Drain { get; }

    /// <summary>Its process; null: this run did not start it.</summary>
    public ChildServer? Process { get; init; }

    /// <summary>The proxy between it and the servers; null: none.</summary>
    public FaultProxy? Proxy { get; init; }

    /// <summary>The proxy between the topics and the first of several servers; null: none.</summary>
    public FaultProxy? TopicsProxy { get; init; }

    /// <summary>The queues that this run created; null: they belong to servers that were already running.</summary>
    public BlockQueues? Made { get; init; }

    /// <summary>Finds the queues in the /stats of the servers.</summary>
    /// <param name="sqs">A client for the queues; null: there is no access to them.</param>
    /// <param name="shared">The name of the queue that several servers share; null: unknown.</param>
    public static async Task<QueueBehind> FindAsync(
        ServerGroup servers, ISqs? sqs, string? shared, DrainLooks looks, TimeProvider time, CancellationToken stopping)
    {
        var stats = await servers.ReadStatsAsync(stopping);
        var location = sqs is null ? null : LocationOf(servers, stats, sqs, shared);
        // A restarted node has a queue with another name, and the others delete that of before.
        if (servers.Count > 1 && location is { } first)
            location = first with
            {
                Now = async asked => LocationOf(servers, await servers.ReadStatsAsync(asked), first.Sqs, shared)?.Urls,
            };
        // All calls of servers that this run started belong to this run.
        IReadOnlyList<string?> before = servers.Processes.Count == 0 ? stats : [.. stats.Select(_ => FromTheStart)];
        return new QueueBehind(
            servers, before, sqs, await DrainProof.BeginAsync(location, servers.HeldAsync, looks, time, stopping));
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
        var ours = _calledByUs is { } sqs ? Enum.GetValues<QueueCall>().Sum(sqs.Traffic.Calls) : 0;
        return ours + (counted.Queue?.Calls.Total ?? 0);
    }

    private static QueueLocation? LocationOf(ServerGroup servers, IReadOnlyList<string?> stats, ISqs sqs, string? shared)
    {
        var queues = stats.Select(json => json is null ? null : StatsReader.QueueIn(json))
            .OfType<(string Url, string? DeadLetterUrl, string? ParkedUrl)>().ToList();
        if (queues.Count < servers.Count)
            return null;
        // Several servers share one parked queue.
        List<string> urls = [.. queues.Select(queue => queue.Url), .. queues.Select(queue => queue.ParkedUrl).OfType<string>().Distinct()];
        // Each of several reports its own queue. The URL of the shared one differs in the name at its end.
        if (servers.Count > 1 && shared is not null)
            urls.Add(urls[0][..(urls[0].LastIndexOf('/') + 1)] + shared);
        return new QueueLocation(sqs, urls, queues[0].DeadLetterUrl);
    }
}
