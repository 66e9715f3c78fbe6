using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;
using PubSubOverWs.LoadTest.Targets.Sqs;
using PubSubOverWs.LoadTest.Workloads;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What each arm's turns are run against in one block: the fleet's servers, or those that were already there.</summary>
public sealed class Arena : IDisposable
{
    private const string FromTheStart = """{"queue":{}}""";

    private readonly Dictionary<string, ServerUnderTest> _servers = [];
    private readonly List<IDisposable> _open = [];
    private readonly TimeProvider _time;
    private readonly List<(ServerGroup Servers, IReadOnlyList<string?> Before)> _pubsub = [];
    private readonly List<ISqs> _own = [];

    private Arena(TimeProvider time) => _time = time;

    public ServerUnderTest this[Arm arm] => _servers[arm.Name];

    public static async Task<Arena> OpenAsync(RunJob job, Deployment deployment, TimeProvider time, CancellationToken stopping)
    {
        var arena = new Arena(time);
        try
        {
            foreach (var arm in job.Scenario.Arms)
                arena._servers[arm.Name] = await arena.ServerAsync(arm, job.Request, deployment, stopping);
            if (deployment.Echo is { } echo)
            {
                var member = new GroupMember(Arm.Floor.Name, await ClientTarget.ResolveAsync(echo.Address, stopping), Stats: null, echo);
                arena._servers[Arm.Floor.Name] = new ServerUnderTest(
                    new ServerGroup([member]), Drain: null, Queue: null, deployment.IdleBeside([echo]));
            }

            return arena;
        }
        catch
        {
            arena.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Calls to the queue in this block so far, of the pubsub servers and of this program. Servers that do not tell add none. Null: one was
    /// started again, and has forgotten.
    /// </summary>
    public async Task<long?> QueueCallsAsync(CancellationToken cancellationToken)
    {
        if (_pubsub.Any(one => one.Servers.HaveForgotten))
            return null;
        var calls = _own.Sum(sqs => Enum.GetValues<SqsCall>().Sum(sqs.Traffic.Calls));
        foreach (var (servers, before) in _pubsub)
        {
            using var counted = new StatsDelta(servers.Between(before, await servers.ReadStatsAsync(cancellationToken)));
            calls += counted.Queue?.Calls.Total ?? 0;
        }

        return calls;
    }

    public void Dispose() => _open.ForEach(one => one.Dispose());

    private async Task<ServerUnderTest> ServerAsync(Arm arm, RunRequest request, Deployment deployment, CancellationToken stopping)
    {
        var (isPubSub, started) = (arm.HasQueue, deployment.ServersOf(arm));
        var members = new List<GroupMember>();
        foreach (var process in started)
            members.Add(await MemberAsync(process.Name, process.Address, process, ServerAccess.None, deployment, stopping));
        if (started.Count == 0)
            members.Add(
                await MemberAsync(arm.Name, isPubSub ? request.PubSub! : request.Direct!, process: null, request.Access, deployment,
                    stopping));
        var servers = Keep(new ServerGroup(members));
        var drain = isPubSub
            ? await DrainProof.BeginAsync(
                await QueueAsync(arm, servers, request.Queue, deployment, stopping), servers.HeldAsync, request.Queue.Looks, _time,
                stopping)
            : null;
        return new ServerUnderTest(servers, drain, isPubSub ? deployment.LocalSqs : null, deployment.IdleBeside(started))
        { Proxies = deployment.Proxies };
    }

    private static async Task<GroupMember> MemberAsync(
        string name, Uri address, ChildServer? process, ServerAccess access, Deployment deployment, CancellationToken stopping)
    {
        var member = new GroupMember(
            name, await ClientTarget.ResolveAsync(address, access, stopping), new StatsReader(address, access.StatsToken), process);
        var ways = new List<ClientTarget>();
        foreach (var way in deployment.WaysTo(address))
            ways.Add(await ClientTarget.ResolveAsync(way.Address, access, stopping));
        return ways.Count == 0 ? member
            : deployment.AllGoThroughWays ? member with { Publishers = ways, Subscribers = ways }
            : member with { Subscribers = ways };
    }

    // A server knows best what its queue is called: ours by name, another's by reading it there.
    private async Task<QueueLocation?> QueueAsync(
        Arm arm, ServerGroup servers, QueueTarget target, Deployment deployment, CancellationToken stopping)
    {
        var sqs = deployment.QueueOf(arm)?.Sqs ?? (target is EmbeddedTarget ? null : Keep(target.Connect(localSqs: null, _time)));
        if (sqs is not null)
            _own.Add(sqs);
        var stats = await servers.ReadStatsAsync(stopping);
        // Servers of this run have called the queue for this run alone, from their start on.
        _pubsub.Add((servers, deployment.ServersOf(arm).Count == 0 ? stats : [.. stats.Select(_ => FromTheStart)]));
        var queues = stats.Select(json => json is null ? null : StatsReader.QueueIn(json))
            .OfType<(string Url, string? DeadLetterUrl, string? ParkedUrl)>().ToList();
        if (sqs is null || queues.Count < servers.Count)
            return null;
        // Several servers park in one queue.
        List<string> urls = [.. queues.Select(queue => queue.Url), .. queues.Select(queue => queue.ParkedUrl).OfType<string>().Distinct()];
        // Each of several tells the queue that it alone reads. Beside it is the one that they share: URLs of one account differ in the name
        // at their end.
        if (servers.Count > 1 && deployment.QueueOf(arm) is { } shared)
            urls.Add(urls[0][..(urls[0].LastIndexOf('/') + 1)] + shared.Name);
        return new QueueLocation(sqs, urls, queues[0].DeadLetterUrl);
    }

    private T Keep<T>(T one)
        where T : IDisposable
    {
        _open.Add(one);
        return one;
    }
}
