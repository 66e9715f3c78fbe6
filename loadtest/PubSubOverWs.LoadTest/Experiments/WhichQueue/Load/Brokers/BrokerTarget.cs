using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Queues;

namespace PubSubOverWs.LoadTest.Experiments.WhichQueue.Load.Brokers;

/// <summary>Pubsub servers, each with a queue server that others wrote.</summary>
public sealed class BrokerTarget : Target
{
    private readonly Dictionary<string, Broker> _running = [];
    private readonly Dictionary<string, string> _versions = [];

    public override string Name => QueueArms.Broker;

    public override IReadOnlyList<ServerProgram> Programs => [PubSubTarget.Program];

    public override async Task CheckAsync(TargetUse use, TimeProvider time, CancellationToken stopping)
    {
        if (use.Scenario is not WhichQueueScenario scenario)
            return;
        var missing = new List<BrokerKind>();
        foreach (var kind in Started(use))
        {
            if (await kind.FindVersionAsync(time, stopping) is { } version)
                _versions[kind.Arm] = version;
            else
                missing.Add(kind);
        }

        var rest = scenario.Arms.Where(arm => missing.All(kind => kind.Arm != arm.Name));
        RefusalException.ThrowUnless(missing.Count == 0,
            $"The queues of {string.Join(", ", missing.Select(kind => $"{kind.Arm} ({kind.Program})"))} are not here, or say no version: "
                + $"{string.Join("; ", missing.Select(kind => kind.Install).Distinct())}"
                + $"{Or("use --arms ", rest.Select(arm => arm.Name))}.");
        RefusalException.ThrowUnless(!scenario.Trials.Contains(QueueTrial.PowerCut) || BrokerDisk.Missing is null,
            $"This machine cannot do that: {BrokerDisk.Missing}"
                + Or("leave the trial out with --set trials=",
                    scenario.Trials.Where(one => one != QueueTrial.PowerCut).Select(one => one.Name)) + ".");

        static string Or(string advice, IEnumerable<string> others) =>
            others.ToArray() is { Length: > 0 } some ? $"; or {advice}{string.Join(',', some)}" : "";
    }

    public override IEnumerable<string> Processes(TargetUse use) => use.Arms.Select(arm =>
        ((WhichQueueScenario)use.Scenario).Elsewhere.TryGetValue(arm.Name, out var address)
            ? $"pubsub server on {address} (not started by the run)"
            : $"pubsub server, and {arm} as it is installed here");

    public override IEnumerable<(string Name, string Value)> Settings(TargetUse use)
    {
        if (use.Scenario is not WhichQueueScenario scenario)
            yield break;
        foreach (var arm in use.Arms)
        {
            var isElsewhere = scenario.Elsewhere.ContainsKey(arm.Name);
            yield return ($"version of {arm}", _versions.GetValueOrDefault(arm.Name) ?? "not asked");
            yield return ($"{arm} keeps", isElsewhere ? "as it is set there: not asked" : BrokerKind.Of(arm, scenario)!.Keeps);
        }

        var disk = new DriveInfo(Path.GetTempPath()).DriveFormat;
        yield return ("data is on", scenario.Trials.Contains(QueueTrial.PowerCut) ? $"an ext4 in a file on {disk}" : disk);
    }

    public override async Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping)
    {
        var running = new List<RunningTarget>();
        foreach (var arm in arms)
            running.Add(await StartAsync(arm, (WhichQueueScenario)block.Plan.Scenario, block, stopping));
        return running;
    }

    /// <summary>The queue server of an arm; null: this run did not start it.</summary>
    internal Broker? Running(Arm arm) => _running.GetValueOrDefault(arm.Name);

    /// <inheritdoc cref="Running(Arm)"/>
    internal Broker? Running(string arm) => _running.GetValueOrDefault(arm);

    private async Task<RunningTarget> StartAsync(Arm arm, WhichQueueScenario scenario, BlockProcesses block, CancellationToken stopping)
    {
        var kind = BrokerKind.Of(arm, scenario)!;
        var broker = scenario.Elsewhere.ContainsKey(arm.Name) ? null : await StartBrokerAsync(kind, scenario, block, stopping);
        var address = broker?.Address ?? new Uri(scenario.Elsewhere[arm.Name]);
        var name = $"{block.Plan.Queue}-{arm}".Replace('+', '-');
        // A queue that the run starts lets everybody in.
        var nobody = broker is null ? null : new Dictionary<string, string>
        {
            [$"{kind.Section}__User"] = kind.User,
            [$"{kind.Section}__Password"] = kind.User,
        };
        var command = PubSubTarget.Program.Command(
            nobody, "--Queue:Kind", kind.Section, $"--{kind.Section}:Url", address.ToString().TrimEnd('/'), "--Queue:Name", name,
            "--Queue:WaitTime", $"{QueueTarget.Embedded.WaitTime:c}") with
        { Name = arm.Name };
        var one = await block.OpenAsync(arm, command, stopping);
        var client = QueueClients.Connect(address, isOurs: broker is not null, block.Time);
        var urls = await client.OpenAsync(name, stopping);
        block.AfterServers(() => EndAsync(arm, client, urls, broker, block));
        var queue = await QueueBehind.FindAsync(one.Servers, client, shared: null, DrainLooks.Near, block.Time, stopping);
        return one with { Queue = queue with { Process = broker, Faults = broker } };
    }

    private async Task<Broker> StartBrokerAsync(
        BrokerKind kind, WhichQueueScenario scenario, BlockProcesses block, CancellationToken stopping)
    {
        var broker = await Broker.StartAsync(kind, scenario.Trials.Contains(QueueTrial.PowerCut), block.Time, stopping);
        _running[kind.Arm] = broker;
        block.Events.Add("started", kind.Arm, $"{broker.Place}");
        return broker;
    }

    private async Task EndAsync(Arm arm, IQueue client, QueueUrls urls, Broker? broker, BlockProcesses block)
    {
        if (broker is null)
            await DeleteAsync(client, urls, block);
        await ((IAsyncDisposable)client).DisposeAsync();
        if (broker is null)
            return;
        _running.Remove(arm.Name);
        await broker.DisposeAsync();
        block.Events.Add("stopped", arm.Name, $"queue killed, and its data deleted");
    }

    private static async Task DeleteAsync(IQueue client, QueueUrls urls, BlockProcesses block)
    {
        try
        {
            await client.DeleteAsync(urls, CancellationToken.None);
        }
        catch (QueueException failure)
        {
            block.Events.AddQueueLeft(
                urls.Name, failure.Message, "Delete it there, with those of its name that end in -dead and -parked.");
        }
    }

    private static IEnumerable<BrokerKind> Started(TargetUse use) => use.Scenario is not WhichQueueScenario scenario
        ? []
        : use.Arms.Where(arm => !scenario.Elsewhere.ContainsKey(arm.Name)).Select(arm => BrokerKind.Of(arm, scenario)!);
}
