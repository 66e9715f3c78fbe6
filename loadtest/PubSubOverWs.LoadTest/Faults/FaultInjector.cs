using System.Globalization;
using System.Text.Json;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.LoadTest.Network;
using PubSubOverWs.LoadTest.Network.Control;
using PubSubOverWs.LoadTest.Network.Toxics;
using PubSubOverWs.LoadTest.Processes;

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

    private Task _returning = Task.CompletedTask;

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
        }
    }

    public async Task UndoAsync(FaultActionKind action, long due, CancellationToken cancellationToken)
    {
        await _returning;
        await Task.WhenAll(AllWays.Select(way => way.AcceptAsync(cancellationToken)));
        if (Queue is { Way: var way })
            await way.ResumeAsync(cancellationToken);
        var late = Time.GetElapsedTime(due);
        TellOf($"fault-{Kebab.Of(action)}", TargetOf(action),
            string.Create(CultureInfo.InvariantCulture, $"is over, {late.TotalMilliseconds:0} ms after it was due"));
    }

    public async Task CalmAsync(CancellationToken cancellationToken)
    {
        await _returning;
        await Task.WhenAll(AllWays.Select(way => way.CalmAsync(cancellationToken)));
        await Task.WhenAll(Servers.Select(server => server.PredecessorEnded));
        foreach (var server in Servers)
        {
            foreach (var exit in server.TakePredecessors())
                TellOfEnd(server, exit);
        }
    }

    public async Task EndAsync()
    {
        // The caller that cut it knows why; others have awaited it.
        await _returning.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await Task.WhenAll(Servers.Select(server => server.PredecessorEnded)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private IEnumerable<FaultProxy> AllWays => Queue is { Way: var way } ? Ways.Append(way) : Ways;

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

    private string TargetOf(FaultActionKind action) => action is FaultActionKind.KillServer or FaultActionKind.StopServer ? Arm : "queue";

    private void TellOf(string kind, string target, string detail) =>
        Tell(kind, target, string.Create(CultureInfo.InvariantCulture, $"iteration {Iteration}: {detail}"));
}

/// <summary>The queue of the arm under test, as far as faults reach it.</summary>
/// <param name="Way">The proxy through which the server reaches it.</param>
/// <param name="Process">The embedded queue.</param>
/// <param name="Copy">How it is made again when its process was killed.</param>
public sealed record QueueScene(FaultProxy Way, ChildServer Process, QueueCopy Copy);
