using PubSubOverWs.LoadTest.Harness.Faults;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>The server that relays through a queue: one, or several nodes that share one queue.</summary>
public sealed class PubSubTarget : Target
{
    /// <summary>Whether a server shares its work with others. Always set, so that the environment does not decide it.</summary>
    public const string NodesEnabled = "Queue:Nodes:Enabled";

    public static ServerProgram Program => SqsPrograms.PubSub;

    public static string Kind => Program.Name;

    public override string Name => Kind;

    public override string AddressHelp => $"measure this {Name} server instead of starting one; its queue is read from its /stats";

    public override IReadOnlyList<ServerProgram> Programs => [Program, SqsPrograms.LocalSqs];

    public override void CheckOptions(TargetOptions options)
    {
        RefusalException.ThrowUnless(!options.NamesSqsClient || !options.Addresses.ContainsKey(Name),
            $"{QueueTarget.ClientOption} has no effect with {AddressOption}, because that server has a client: omit it, and set "
                + "Sqs:Client of the server.");
        CostConsent.CheckUse(options.Queue, options.MayCostMoney);
    }

    public override void Check(TargetUse use)
    {
        base.Check(use);
        var queue = use.Options.Queue;
        var isOwn = use.Options.Queue is EmbeddedTarget;
        foreach (var option in new[] { use.Options.NamesSqsClient ? QueueTarget.ClientOption : null, queue.NamedBy }.OfType<string>())
            RefusalException.ThrowUnless(use.IsRun, NoUse(option));
        foreach (var setUp in use.SetUps)
        {
            RefusalException.ThrowUnless(!setUp.QueueLatency.IsSimulated || (use.IsStarted && isOwn),
                $"The queue latency {setUp.QueueLatency} needs LocalSqs: omit {AddressOption}, --sqs-endpoint and --sqs aws and "
                    + $"measure the arm {Name}, or use --queue-latency none.");
            RefusalException.ThrowUnless(setUp.Servers == 1 || use.IsStarted,
                $"{setUp.Servers} {Name} nodes must be started by the run: omit {AddressOption} and measure the arm {Name}, or "
                    + "use --pubsub-nodes 1.");
            RefusalException.ThrowUnless(!setUp.ProxiesQueue || isOwn,
                $"The fault {use.Scenario.Disturbance?.Name} needs a queue that the run starts, which is LocalSqs: "
                    + "omit --sqs and --sqs-endpoint.");
        }
    }

    public override async Task CheckAsync(TargetUse use, TimeProvider time, CancellationToken stopping)
    {
        var queue = use.Options.Queue;
        var access = use.Options.Access;
        if (use is { IsRun: true, Address: { } address }
            && await new AddressCheck(Name, AddressOption, address, access, time).RunAsync(stopping) is { } stats)
            QueuePreflight.CheckServer(address, stats, queue);
        if (!use.IsRun || queue is EmbeddedTarget)
            return;
        await QueuePreflight.CheckAsync(queue, time, stopping);
        if (use.SetUps.Any(setUp => setUp.Servers > 1))
            await QueuePreflight.CheckTopicsAsync(queue, time, stopping);
    }

    public override IEnumerable<string> Processes(TargetUse use)
    {
        if (!use.IsRun)
            yield break;
        var servers = use.SetUps.Max(setUp => setUp.Servers);
        yield return use.Address is { } address ? $"{Name} server at {address} (not started by the run)"
            : use.Scenario.IsAgainstItself ? $"two {Name} servers, each with a queue of its own"
            : servers == 1 ? $"{Name} server"
            : $"{servers} {Name} servers that share the work";
        if (use.Options.Queue is EndpointTarget endpoint)
            yield return $"queue at {endpoint.Address} (not started by the run)";
        else if (use.Address is null || use.Options.Queue is AwsTarget)
            yield return use.Options.Queue.Name;
    }

    public override IEnumerable<(string Name, string Value)> Settings(TargetUse use) => !use.IsStarted
        ? []
        : use.Options.Queue.ServerSettings.Concat(use.SetUps.Any(setUp => setUp.Servers > 1) ? [(NodesEnabled, "true")] : []);

    public override QueueDescription? Queue(TargetUse use) => !use.IsRun
        ? null
        : new(
            QueueText(use), use.IsStarted ? Kebab.Text(use.Options.Queue.SqsClient) : null,
            IsOfThisRun: use.IsStarted && use.Options.Queue is EmbeddedTarget);

    public override QueueBill? Bill(TargetUse use, IReadOnlyList<Trial> trials, TimeSpan time) =>
        use.IsRun ? new QueueBills(use.Scenario, use.Options.Queue, trials).Expect(use.Options.PricePerMillion, time) : null;

    public override async Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping)
    {
        var plan = block.Plan;
        var running = new List<RunningTarget>();
        var isStarted = !plan.Options.Addresses.ContainsKey(Name);
        var queues = isStarted && plan.Options.Queue is EmbeddedTarget ? await StartQueueAsync(arms, block, stopping) : null;
        foreach (var arm in arms)
        {
            var setUp = plan.Scenario.SetUp(arm);
            // Two instances are told apart by their own names; of servers that are set up otherwise each has a queue of its own, too.
            var suffix = arm.Instance.Length > 0 || running.Count == 0 ? arm.Instance : $"-{arm}".Replace('+', '-');
            var made = isStarted ? Make(suffix, setUp, queues?.Process.Address, block) : null;
            var one = made is null ? await block.OpenAsync(arm, command: null, stopping)
                : await block.OpenAsync(
                    arm, Command(arm, plan.Options.Queue, made.Name, queues?.Process.Address, setUp), stopping,
                    first: FirstThroughProxies(arm, plan.Options.Queue, made.Name, queues, setUp));
            if (one.Servers.Count > 1)
                await ClusterReadiness.WaitAsync(one.Servers.Processes, block.Time, stopping);
            var queue = await QueueBehind.FindAsync(
                one.Servers, made?.Sqs ?? Connect(plan.Options.Queue, block), made?.Name, LooksAt(plan.Options.Queue, setUp), block.Time,
                stopping);
            running.Add(one with
            {
                Queue = queues is null || made is null ? queue : queue with
                {
                    Process = queues.Process,
                    Faults = new EmbeddedQueueFaults(queues.Proxy, queues.Process, new QueueCopy(made.Sqs, made.Name))
                    {
                        TopicsProxy = queues.TopicsProxy,
                    },
                },
            });
        }

        return running;
    }

    /// <summary>The command that starts a server.</summary>
    public static ChildCommand Command(Arm arm, QueueTarget target, string queue, Uri? localSqs, ServerSetUp setUp)
    {
        var server = target.Server(queue, localSqs);
        string[] nodes = [$"--{NodesEnabled}", setUp.Servers > 1 ? "true" : "false"];
        return server with { Name = setUp.NameFor(arm), Arguments = [.. server.Arguments, .. nodes] };
    }

    private static string QueueText(TargetUse use) => use switch
    {
        { Options.Queue: EndpointTarget { Address: var address } } => $"SQS at {MaskedAddress.Text(address)}",
        { Options.Queue: AwsTarget aws, IsStarted: true } => $"{aws.Name} (a fresh queue for each block, deleted after it)",
        { Options.Queue: AwsTarget aws } => $"{aws.Name} (of a server that was already there)",
        { IsStarted: false } => "of a server that was already there",
        _ when use.SetUps.Select(setUp => setUp.QueueLatency).FirstOrDefault(one => one.IsSimulated) is { IsSimulated: true } latency =>
            $"LocalSqs (in memory, a process of this run), simulated distance: answers held back by {Duration.Text(latency.P50)} (p50) "
                + $"to {Duration.Text(latency.P99)} (p99)",
        _ => "LocalSqs (in memory, a process of this run)",
    };

    // For a minute, until a killed node is certainly dead, another node holds what it had for its topic subscribers.
    private static DrainLooks LooksAt(QueueTarget target, ServerSetUp setUp) => setUp.Servers == 1
        ? target.Looks
        : target.Looks with { Timeout = target.Looks.Timeout + TimeSpan.FromMinutes(1) };

    // Null: the queue has no proxy.
    private static ChildCommand? FirstThroughProxies(
        Arm arm, QueueTarget target, string queue, EmbeddedQueues? queues, ServerSetUp setUp)
    {
        if (queues?.Proxy is not { } proxy)
            return null;
        var first = Command(arm, target, queue, proxy.Address, setUp);
        return queues.TopicsProxy is { } topics
            ? first with { Arguments = [.. first.Arguments, "--Sqs:SnsEndpoint", topics.Address.ToString()] }
            : first;
    }

    // One process for all arms, with a separate queue for each.
    private static async Task<EmbeddedQueues> StartQueueAsync(IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping)
    {
        var scenario = block.Plan.Scenario;
        var setUp = block.Plan.Scenario.SetUp(arms[0]);
        var process = await block.StartBesideAsync(SqsPrograms.LocalSqsAt(setUp.QueueLatency, scenario.Seed + block.Plan.Number), stopping);
        return new EmbeddedQueues(
            process, setUp.ProxiesQueue ? await block.StartProxyAsync(process.Address, stopping) : null,
            setUp is { ProxiesQueue: true, Servers: > 1 } ? await block.StartProxyAsync(process.Address, stopping) : null);
    }

    private sealed record EmbeddedQueues(ChildServer Process, FaultProxy? Proxy, FaultProxy? TopicsProxy);

    private static BlockQueues Make(string suffix, ServerSetUp setUp, Uri? localSqs, BlockProcesses block)
    {
        var target = block.Plan.Options.Queue;
        var hasNodes = setUp.Servers > 1;
        var queues = new BlockQueues(
            block.Plan.Queue + suffix, target.Connect(localSqs, block.Time),
            hasNodes ? target.ConnectTopics(localSqs, block.Time) : null, block.Time);
        block.AfterServers(async () =>
        {
            if (await queues.DeleteAsync() is { } failure)
                block.Events.AddQueueLeft(queues.Name, failure,
                    $"Check with {ThisProgram.Name} queues list, and delete it with {ThisProgram.Name} queues clean.");
            else
                block.Events.Add(
                    "queue-deleted", queues.Name,
                    $"with {(hasNodes ? "the queues and topics of its nodes and " : "")}its dead-letter queue");
            queues.Dispose();
        });
        return queues;
    }

    private static SqsOverHttp? Connect(QueueTarget queue, BlockProcesses block) =>
        queue is EmbeddedTarget ? null : block.Keep(queue.Connect(localSqs: null, block.Time));
}
