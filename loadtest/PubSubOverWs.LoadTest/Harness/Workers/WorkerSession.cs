using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Harness.Workers;

/// <summary>
/// The clients of a load process, in one trial after the other. One order at a time, except that they stop and leave during a wait, which
/// leaving ends.
/// </summary>
/// <param name="workloadOf">By the name of the experiment.</param>
/// <param name="time">For time-outs.</param>
public sealed class WorkerSession(Func<string, ISharedLoad> workloadOf, TimeProvider time) : IAsyncDisposable
{
    private readonly CancellationTokenSource _ending = new();
    private TaskCompletionSource _leaving = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private IShareOfLoad? _load;
    private LoadClients? _clients;
    private Task _sending = Task.CompletedTask;
    private int _collections;

    private IShareOfLoad Load => _load ?? throw new InvalidOperationException("No clients have entered.");

    /// <summary>Has the clients of a trial connect and subscribe.</summary>
    public async Task<Entered> EnterAsync(EnterOrder order, CancellationToken cancellationToken)
    {
        if (_clients is not null)
            throw new InvalidOperationException("The clients of the trial before have not left.");
        AddressSpread.Share(order.Share.Index, order.Share.Of);
        var servers = new ServerGroup(await Task.WhenAll(order.Servers.Select(server => server.ResolveAsync(cancellationToken))));
        _load = workloadOf(order.Experiment).Share(order.Plan, order.Share, servers);
        _leaving = new(TaskCreationOptions.RunContinuationsAsynchronously);
        _clients = new LoadClients(_load, time);
        await _clients.ConnectAsync(cancellationToken);
        GC.Collect(); // As the run does where it has the clients: not while latencies are measured.
        _collections = GC.CollectionCount(0);
        return new Entered(_clients.Connected);
    }

    /// <summary>Sends what is due; completes when all was sent, or the load has given up.</summary>
    public async Task<Done> BeginAsync(BeginOrder order, CancellationToken cancellationToken)
    {
        _sending = Sender.SendAsync(Load, order.FirstDue, _ending.Token);
        await _sending.WaitAsync(cancellationToken);
        return Done.Value;
    }

    /// <summary>Completes when nothing more is waited for, or the clients leave.</summary>
    public async Task<Done> WaitAsync(CancellationToken cancellationToken)
    {
        await Task.WhenAny(Load.Waiting.Reached, _leaving.Task).WaitAsync(cancellationToken);
        return Done.Value;
    }

    /// <summary>Completes when what was sent is answered, or cannot be.</summary>
    public async Task<Done> StopAsync(CancellationToken cancellationToken)
    {
        await (_clients ?? throw new InvalidOperationException("The clients have left.")).StopSendingAsync(cancellationToken);
        return Done.Value;
    }

    /// <summary>The clients leave, and what they have seen is said.</summary>
    public async Task<Left> LeaveAsync(CancellationToken cancellationToken)
    {
        var load = Load;
        var clients = _clients ?? throw new InvalidOperationException("The clients have left.");
        var collections = GC.CollectionCount(0) - _collections;
        _leaving.SetResult();
        await clients.LeaveAsync(cancellationToken);
        await clients.EndAsync();
        await _sending;
        _clients = null;
        return new Left(collections, JsonSerializer.SerializeToElement(load.Account(), WorkerOrders.Json));
    }

    public async ValueTask DisposeAsync()
    {
        await _ending.CancelAsync();
        _leaving.TrySetResult();
        if (_clients is not null)
            await _clients.EndAsync();
        await _sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _ending.Dispose();
    }
}
