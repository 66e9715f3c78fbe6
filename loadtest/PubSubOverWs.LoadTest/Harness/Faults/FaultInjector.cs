using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Faults;

/// <summary>
/// Injects the faults of one arm in one iteration. A killed or stopped server is restarted at once, but its proxy accepts connections
/// only when the fault is over, so that all arms are away for the same time, however long each takes to start.
/// </summary>
public sealed class FaultInjector : IFaultInjector
{
    private static readonly StallToxic NothingPasses = new(TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(1));

    private Task _restarting = Task.CompletedTask;
    private bool _isPaused;

    /// <summary>The arm, in events.</summary>
    public required string Arm { get; init; }

    /// <summary>In events.</summary>
    public required int Iteration { get; init; }

    /// <summary>For the random draws of the proxies; the same for all arms.</summary>
    public required long Seed { get; init; }

    /// <summary>In effect as long as the iteration lasts.</summary>
    public required IReadOnlyList<Toxic> Toxics { get; init; }

    /// <summary>One list for each proxy, in place of <see cref="Toxics"/>. Empty: all have the same.</summary>
    public IReadOnlyList<IReadOnlyList<Toxic>> ToxicsByProxy { get; init; } = [];

    /// <summary>Between clients and server.</summary>
    public required IReadOnlyList<FaultProxy> Proxies { get; init; }

    /// <summary>Empty: this run did not start them, and cannot stop them.</summary>
    public required IReadOnlyList<ChildServer> Servers { get; init; }

    /// <summary>Null: the arm has none, or no fault reaches it.</summary>
    public IQueueFaults? Queue { get; init; }

    public required TimeProvider Time { get; init; }

    /// <summary>Called for each event: kind, target, detail.</summary>
    public required Action<string, string, string> OnEvent { get; init; }

    public TimeSpan? ReadyAgain { get; private set; }

    public async Task BeginAsync(CancellationToken cancellationToken)
    {
        if (ToxicsByProxy.Count > 0)
            await SetEachAsync(cancellationToken);
        if (Toxics.Count == 0)
            return;
        await Task.WhenAll(Proxies.Select((proxy, i) => proxy.SetAsync(Toxics, Draws.SeedOf(Seed, i), cancellationToken)));
        AddEvent("fault-toxics", Arm, JsonSerializer.Serialize(Toxics, ProxyJson.Options));
    }

    // Long, with one case for each kind of action.
    public async Task DoAsync(FaultActionKind action, CancellationToken cancellationToken)
    {
        AddEvent($"fault-{Kebab.Text(action)}", TargetOf(action), "begins");
        switch (action)
        {
            case FaultActionKind.KillServer:
                await RefuseAsync(cancellationToken);
                await Task.WhenAll(Servers.Select(server => server.KillRunningAsync()));
                _restarting = RestartAsync(cancellationToken);
                break;
            case FaultActionKind.StopServer:
                await RefuseAsync(cancellationToken);
                _restarting = ReplaceAsync(cancellationToken);
                break;
            case FaultActionKind.QueueRefuses:
                await Queue!.Proxy!.RefuseAsync(cancellationToken);
                await Queue.Proxy.CutAsync(share: 1, Seed, cancellationToken);
                break;
            case FaultActionKind.QueueStalls:
                await Queue!.Proxy!.StallAsync(cancellationToken);
                break;
            case FaultActionKind.KillQueue:
                await Queue!.KillAsync(cancellationToken);
                _restarting = RestartQueueAsync(Queue, cancellationToken);
                break;
            case FaultActionKind.CutPower:
                await Queue!.CutPowerAsync(cancellationToken);
                await Task.WhenAll(Servers.Select(server => server.KillRunningAsync()));
                _restarting = RestartQueueAndServersAsync(Queue, cancellationToken);
                break;
            case FaultActionKind.KillNode:
                await Servers[0].KillRunningAsync();
                break;
            case FaultActionKind.PauseNode when !OperatingSystem.IsWindows():
                Servers[0].Pause();
                _isPaused = true;
                break;
            case FaultActionKind.PauseNode:
                throw new ChildException("A process cannot be paused on this system: omit the arm.");
            case FaultActionKind.TopicsStall:
                await Queue!.TopicsProxy!.StallAsync(cancellationToken);
                break;
            case FaultActionKind.NodeQueueStalls:
                await Queue!.Proxy!.StallAsync(cancellationToken);
                break;
            case FaultActionKind.QueueRequestsStall:
                await Queue!.Proxy!.SetAsync([NothingPasses with { Direction = Direction.ToServer }], Seed, cancellationToken);
                break;
            case FaultActionKind.QueueAnswersStall:
                await Queue!.Proxy!.SetAsync([NothingPasses with { Direction = Direction.ToClient }], Seed, cancellationToken);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(action), action, "There is no such fault action.");
        }
    }

    public async Task UndoAsync(FaultActionKind action, long due, CancellationToken cancellationToken)
    {
        await _restarting;
        var isOfNode = new FaultAction(default, action, default).IsOfNode;
        ResumePaused();
        if (isOfNode)
            await Task.WhenAll(AllProxies.Select(proxy => proxy.CalmAsync(cancellationToken)));
        await Task.WhenAll(AllProxies.Select(proxy => proxy.AcceptAsync(cancellationToken)));
        if (Queue?.Proxy is { } queueProxy)
            await queueProxy.ResumeAsync(cancellationToken);
        var late = Time.GetElapsedTime(due);
        AddEvent($"fault-{Kebab.Text(action)}", TargetOf(action),
            Invariant($"is over, {late.TotalMilliseconds:0} ms after it was due"));
        if (isOfNode)
            await ReadyAgainAsync(action, cancellationToken);
    }

    public async Task CalmAsync(CancellationToken cancellationToken)
    {
        await _restarting;
        await Task.WhenAll(AllProxies.Select(proxy => proxy.CalmAsync(cancellationToken)));
        if (ReadyAgain is not null)
            await ClusterReadiness.WaitAsync(Servers, Time, cancellationToken);
        await Task.WhenAll(Servers.Select(server => server.PredecessorEnded));
        foreach (var server in Servers)
        {
            foreach (var exit in server.TakePredecessors())
                AddEnd(server, exit);
        }
    }

    public async Task EndAsync()
    {
        ResumePaused();
        // A failure was awaited before.
        await _restarting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await Task.WhenAll(Servers.Select(server => server.PredecessorEnded)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private async Task SetEachAsync(CancellationToken cancellationToken)
    {
        await Task.WhenAll(Proxies.Select((proxy, i) => proxy.SetAsync(ToxicsByProxy[i], Draws.SeedOf(Seed, i), cancellationToken)));
        for (var i = 0; i < Proxies.Count; i++)
            AddEvent("fault-toxics", Arm, Invariant($"proxy {i + 1}: {JsonSerializer.Serialize(ToxicsByProxy[i], ProxyJson.Options)}"));
    }

    // A suspended process would not stop when asked to.
    private void ResumePaused()
    {
        if (_isPaused && !OperatingSystem.IsWindows())
            Servers[0].Resume();
        _isPaused = false;
    }

    private IEnumerable<FaultProxy> AllProxies =>
        [.. Proxies, .. new[] { Queue?.Proxy, Queue?.TopicsProxy }.OfType<FaultProxy>()];

    private async Task ReadyAgainAsync(FaultActionKind action, CancellationToken cancellationToken)
    {
        var begun = Time.GetTimestamp();
        if (action == FaultActionKind.KillNode)
        {
            await Servers[0].RestartAsync(cancellationToken);
            AddStarts([Servers[0]]);
        }

        await Servers[0].ReadyAsync(cancellationToken);
        ReadyAgain = Time.GetElapsedTime(begun);
    }

    private Task<ProxyState[]> RefuseAsync(CancellationToken cancellationToken) =>
        Task.WhenAll(Proxies.Select(proxy => proxy.RefuseAsync(cancellationToken)));

    private async Task RestartAsync(CancellationToken cancellationToken)
    {
        await Task.WhenAll(Servers.Select(server => server.RestartAsync(cancellationToken)));
        AddStarts(Servers);
    }

    private async Task ReplaceAsync(CancellationToken cancellationToken)
    {
        await Task.WhenAll(Servers.Select(server => server.ReplaceAsync(cancellationToken)));
        AddStarts(Servers);
    }

    private async Task RestartQueueAsync(IQueueFaults queue, CancellationToken cancellationToken)
    {
        var (name, place) = await queue.RestartAsync(cancellationToken);
        OnEvent("started", name, $"{place}, again");
    }

    private async Task RestartQueueAndServersAsync(IQueueFaults queue, CancellationToken cancellationToken)
    {
        await RestartQueueAsync(queue, cancellationToken);
        await RestartAsync(cancellationToken);
    }

    private void AddStarts(IReadOnlyList<ChildServer> servers)
    {
        foreach (var server in servers)
            OnEvent("started", server.Name,
                Invariant($"process {server.ProcessId} at {server.Address}, again"));
    }

    private void AddEnd(ChildServer server, ChildExit exit)
    {
        OnEvent("stopped", server.Name, exit.AsAsked);
        if (exit is not { Killed: false, ExitCode: 0 })
            throw ChildFailure.EndedBadly(server.Name, exit);
    }

    private string TargetOf(FaultActionKind action) => new FaultAction(default, action, default) switch
    {
        { IsOfNode: true } => Servers[0].Name,
        { IsOfQueue: true } => "queue",
        _ => Arm,
    };

    private void AddEvent(string kind, string target, string detail) =>
        OnEvent(kind, target, Invariant($"iteration {Iteration}: {detail}"));
}

/// <summary>The queue of the arm under test, as the target of faults.</summary>
public interface IQueueFaults
{
    /// <summary>Between the server and the queue; null: there is none.</summary>
    FaultProxy? Proxy { get; }

    /// <summary>Between the first of several servers and the topics; null: there is none.</summary>
    FaultProxy? TopicsProxy { get; }

    /// <summary>SIGKILL.</summary>
    /// <exception cref="ChildException">It had ended already.</exception>
    Task KillAsync(CancellationToken cancellationToken);

    /// <summary>SIGKILL, and what of its disk had not been written is lost.</summary>
    /// <inheritdoc cref="KillAsync"/>
    Task CutPowerAsync(CancellationToken cancellationToken);

    /// <summary>Starts it again on what it left. Returns its name, and for the events where it runs.</summary>
    /// <exception cref="ChildException">It did not start.</exception>
    Task<(string Name, string Place)> RestartAsync(CancellationToken cancellationToken);
}

/// <summary>The embedded queue, which has nothing on a disk.</summary>
/// <param name="copy">Creates the queue again when its process was killed.</param>
public sealed class EmbeddedQueueFaults(FaultProxy? proxy, ChildServer process, QueueCopy copy) : IQueueFaults
{
    public FaultProxy? Proxy => proxy;

    public FaultProxy? TopicsProxy { get; init; }

    public async Task KillAsync(CancellationToken cancellationToken)
    {
        await copy.ReadAsync(cancellationToken);
        if (proxy is not null)
            await proxy.RefuseAsync(cancellationToken);
        await process.KillRunningAsync();
    }

    public Task CutPowerAsync(CancellationToken cancellationToken) => KillAsync(cancellationToken);

    public async Task<(string Name, string Place)> RestartAsync(CancellationToken cancellationToken)
    {
        await process.RestartAsync(cancellationToken);
        await copy.MakeAsync(cancellationToken);
        return (process.Name, Invariant($"process {process.ProcessId} at {process.Address}"));
    }
}

/// <summary>
/// Creates a queue, its dead-letter queue and its parked queue again, with the same names and settings, after the process that had them in
/// memory was killed. The pubsub server does not, because they may have been deleted on purpose.
/// </summary>
/// <param name="name">The name of the queue; the others have <c>-dead</c> and <c>-parked</c> added.</param>
public sealed class QueueCopy(ISqs sqs, string name)
{
    private readonly string _dead = name + "-dead";
    private readonly string _parked = name + "-parked";
    private (QueueSettings Dead, QueueSettings Live, QueueSettings Parked) _settings;

    /// <summary>Keeps their settings, while they exist.</summary>
    /// <exception cref="ChildException">The queue cannot be reached, or refused.</exception>
    public Task ReadAsync(CancellationToken cancellationToken) => WithAsync("asked for its settings before it is killed", async () =>
        _settings = (
            await SettingsAsync(_dead, cancellationToken), await SettingsAsync(name, cancellationToken),
            await SettingsAsync(_parked, cancellationToken)));

    /// <summary>Creates them with those settings.</summary>
    /// <exception cref="ChildException">The queue cannot be reached, or refused.</exception>
    public Task MakeAsync(CancellationToken cancellationToken) => WithAsync("created again after it was killed", async () =>
    {
        await sqs.CreateQueueAsync(_dead, _settings.Dead, cancellationToken);
        await sqs.CreateQueueAsync(name, _settings.Live, cancellationToken);
        await sqs.CreateQueueAsync(_parked, _settings.Parked, cancellationToken);
    });

    private async Task WithAsync(string what, Func<Task> calls)
    {
        try
        {
            await calls();
        }
        catch (QueueException failure)
        {
            throw new ChildException($"The queue {name} could not be {what}: {failure.Message}");
        }
    }

    private async Task<QueueSettings> SettingsAsync(string queue, CancellationToken cancellationToken) =>
        (await sqs.GetQueueAttributesAsync(await sqs.GetQueueUrlAsync(queue, cancellationToken), cancellationToken)).Settings;
}
