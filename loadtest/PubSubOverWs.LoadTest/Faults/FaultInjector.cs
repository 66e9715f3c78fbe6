using System.Globalization;
using System.Text.Json;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.LoadTest.Network;
using PubSubOverWs.LoadTest.Network.Control;
using PubSubOverWs.LoadTest.Network.Toxics;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;

namespace PubSubOverWs.LoadTest.Faults;

/// <summary>
/// One arm in one iteration. A port "opens again" when the proxy before it accepts again: the process behind it is started at once and has
/// until then to become ready, so that both arms are away exactly as long, however long each takes to start.
/// </summary>
public sealed class FaultInjector : IFaultInjector
{
    /// <summary>The arm, in events.</summary>
    public required string Arm { get; init; }

    /// <summary>In events.</summary>
    public required int Iteration { get; init; }

    /// <summary>Of what the proxies draw; the same for all arms.</summary>
    public required long Seed { get; init; }

    /// <summary>What the proxies do as long as the iteration lasts.</summary>
    public required IReadOnlyList<Toxic> Toxics { get; init; }

    /// <summary>Between clients and server.</summary>
    public required IReadOnlyList<FaultProxy> Ways { get; init; }

    /// <summary>Empty: this run did not start them, and nobody ends them.</summary>
    public required IReadOnlyList<ChildServer> Servers { get; init; }

    /// <summary>Null: the arm has none, or it is left alone.</summary>
    public QueueScene? Queue { get; init; }

    /// <summary>The play's clock.</summary>
    public required TimeProvider Time { get; init; }

    /// <summary>Told of all that is done, when it is done: kind, target, detail.</summary>
    public required Action<string, string, string> Tell { get; init; }

    /// <summary>From the end of what was done to a node until it was ready; null: nothing was.</summary>
    public TimeSpan? ReadyAgain { get; private set; }

    private static readonly StallToxic NothingPasses = new(TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(1));

    private Task _returning = Task.CompletedTask;
    private bool _isPaused;

    public async Task BeginAsync(CancellationToken cancellationToken)
    {
        if (Toxics.Count == 0)
            return;
        await Task.WhenAll(Ways.Select((way, i) => way.SetAsync(Toxics, Draws.SeedOf(Seed, i), cancellationToken)));
        TellOf("fault-toxics", Arm, JsonSerializer.Serialize(Toxics, ProxyJson.Options));
    }

    public async Task DoAsync(FaultActionKind action, CancellationToken cancellationToken)
    {
        TellOf($"fault-{Kebab.Of(action)}", TargetOf(action), "begins");
        switch (action)
        {
            case FaultActionKind.KillServer:
                await RefuseAsync(cancellationToken);
                await Task.WhenAll(Servers.Select(server => server.KillRunningAsync()));
                _returning = RestartAsync(cancellationToken);
                break;
            case FaultActionKind.StopServer:
                await RefuseAsync(cancellationToken);
                _returning = ReplaceAsync(cancellationToken);
                break;
            case FaultActionKind.QueueRefuses:
                await Queue!.Way.RefuseAsync(cancellationToken);
                await Queue.Way.CutAsync(share: 1, Seed, cancellationToken);
                break;
            case FaultActionKind.QueueStalls:
                await Queue!.Way.StallAsync(cancellationToken);
                break;
            case FaultActionKind.KillQueue:
                await Queue!.Copy.ReadAsync(cancellationToken);
                await Queue.Way.RefuseAsync(cancellationToken);
                await Queue.Process.KillRunningAsync();
                _returning = RestartQueueAsync(Queue, cancellationToken);
                break;
            case FaultActionKind.KillNode:
                await Servers[0].KillRunningAsync();
                break;
            case FaultActionKind.PauseNode when !OperatingSystem.IsWindows():
                Servers[0].Pause();
                _isPaused = true;
                break;
            case FaultActionKind.PauseNode:
                throw new ChildException("A process cannot be paused on this system: leave the arm away.", ChildException.Unreachable);
            case FaultActionKind.TopicsStall:
                await Queue!.Topics!.StallAsync(cancellationToken);
                break;
            case FaultActionKind.NodeQueueStalls:
                await Queue!.Way.StallAsync(cancellationToken);
                break;
            case FaultActionKind.QueueRequestsStall:
                await Queue!.Way.SetAsync([NothingPasses with { Direction = Direction.ToServer }], Seed, cancellationToken);
                break;
            case FaultActionKind.QueueAnswersStall:
                await Queue!.Way.SetAsync([NothingPasses with { Direction = Direction.ToClient }], Seed, cancellationToken);
                break;
        }
    }

    public async Task UndoAsync(FaultActionKind action, long due, CancellationToken cancellationToken)
    {
        await _returning;
        var isOfNode = new FaultAction(default, action, default).IsOfNode;
        GoOn();
        if (isOfNode)
            await Task.WhenAll(AllWays.Select(way => way.CalmAsync(cancellationToken)));
        await Task.WhenAll(AllWays.Select(way => way.AcceptAsync(cancellationToken)));
        if (Queue is { Way: var way })
            await way.ResumeAsync(cancellationToken);
        var late = Time.GetElapsedTime(due);
        TellOf($"fault-{Kebab.Of(action)}", TargetOf(action),
            string.Create(CultureInfo.InvariantCulture, $"is over, {late.TotalMilliseconds:0} ms after it was due"));
        if (isOfNode)
            await ReadyAgainAsync(action, cancellationToken);
    }

    public async Task CalmAsync(CancellationToken cancellationToken)
    {
        await _returning;
        await Task.WhenAll(AllWays.Select(way => way.CalmAsync(cancellationToken)));
        if (ReadyAgain is not null)
            await ClusterReadiness.WaitAsync(Servers, Time, cancellationToken);
        await Task.WhenAll(Servers.Select(server => server.PredecessorEnded));
        foreach (var server in Servers)
        {
            foreach (var exit in server.TakePredecessors())
                TellOfEnd(server, exit);
        }
    }

    public async Task EndAsync()
    {
        GoOn();
        // The caller that cut it knows why; others have awaited it.
        await _returning.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await Task.WhenAll(Servers.Select(server => server.PredecessorEnded)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    // A process that stands still does not end when it is told to.
    private void GoOn()
    {
        if (_isPaused && !OperatingSystem.IsWindows())
            Servers[0].Resume();
        _isPaused = false;
    }

    private IEnumerable<FaultProxy> AllWays =>
        Queue is null ? Ways : [.. Ways, Queue.Way, .. Queue.Topics is { } topics ? [topics] : Array.Empty<FaultProxy>()];

    private async Task ReadyAgainAsync(FaultActionKind action, CancellationToken cancellationToken)
    {
        var begun = Time.GetTimestamp();
        if (action == FaultActionKind.KillNode)
        {
            await Servers[0].RestartAsync(cancellationToken);
            TellOfStarts([Servers[0]]);
        }

        await Servers[0].ReadyAsync(cancellationToken);
        ReadyAgain = Time.GetElapsedTime(begun);
    }

    private Task<ProxyState[]> RefuseAsync(CancellationToken cancellationToken) =>
        Task.WhenAll(Ways.Select(way => way.RefuseAsync(cancellationToken)));

    private async Task RestartAsync(CancellationToken cancellationToken)
    {
        await Task.WhenAll(Servers.Select(server => server.RestartAsync(cancellationToken)));
        TellOfStarts(Servers);
    }

    private async Task ReplaceAsync(CancellationToken cancellationToken)
    {
        await Task.WhenAll(Servers.Select(server => server.ReplaceAsync(cancellationToken)));
        TellOfStarts(Servers);
    }

    private async Task RestartQueueAsync(QueueScene queue, CancellationToken cancellationToken)
    {
        await queue.Process.RestartAsync(cancellationToken);
        await queue.Copy.MakeAsync(cancellationToken);
        TellOfStarts([queue.Process]);
    }

    private void TellOfStarts(IReadOnlyList<ChildServer> servers)
    {
        foreach (var server in servers)
            Tell("started", server.Name,
                string.Create(CultureInfo.InvariantCulture, $"process {server.ProcessId} at {server.Address}, again"));
    }

    private void TellOfEnd(ChildServer server, ChildExit exit)
    {
        Tell("stopped", server.Name, exit.AsAsked);
        if (exit is not { Killed: false, ExitCode: 0 })
            throw ChildFailure.EndedBadly(server.Name, exit);
    }

    private string TargetOf(FaultActionKind action) => new FaultAction(default, action, default) switch
    {
        { IsOfNode: true } => Servers[0].Name,
        { IsOfQueue: true } => "queue",
        _ => Arm,
    };

    private void TellOf(string kind, string target, string detail) =>
        Tell(kind, target, string.Create(CultureInfo.InvariantCulture, $"iteration {Iteration}: {detail}"));
}

/// <summary>The queue of the arm under test, as far as faults reach it.</summary>
/// <param name="Way">The proxy through which the server reaches it.</param>
/// <param name="Process">The embedded queue.</param>
/// <param name="Copy">How it is made again when its process was killed.</param>
public sealed record QueueScene(FaultProxy Way, ChildServer Process, QueueCopy Copy)
{
    /// <summary>The proxy through which the first of several servers reaches the topics; null: there is none.</summary>
    public FaultProxy? Topics { get; init; }
}
