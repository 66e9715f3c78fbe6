using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Misbehaving.Load;

/// <summary>Clients that all misbehave in the same way, or some in each, with something to misbehave with.</summary>
internal sealed class MisbehavingClients : IDisposable
{
    // Together, of 20 clients, as many as the pubsub server receives before it stops (Queue:MaxInFlight).
    private const int SmallMessages = 2_500;

    // More than Relay:OutboxBytes and what the system keeps for a connection.
    private const int LargeMessages = 300;

    private readonly ClientTarget _target;
    private readonly List<(Misbehaviour What, MisbehavingClient[] Clients)> _kinds;
    private Task _running = Task.CompletedTask;

    /// <param name="target">Where they connect.</param>
    /// <param name="what">One way to misbehave, or all; not none.</param>
    /// <param name="count">Clients, of all kinds together.</param>
    /// <param name="time">For their pauses.</param>
    public MisbehavingClients(ClientTarget target, Misbehaviour what, int count, TimeProvider time)
    {
        _target = target;
        _kinds =
        [
            .. from kind in KindsOf(what, count)
               let clients = Enumerable.Range(0, kind.Count).Select(i => new MisbehavingClient(target, kind.What, i, kind.Count, time))
               select (kind.What, clients.ToArray()),
        ];
    }

    /// <summary>The queues that they alone consume, for publishers.</summary>
    public static IReadOnlyList<string> QueuesOf(Misbehaviour what, int count) =>
        [.. KindsOf(what, count).Where(kind => Backlog(kind.What).Messages > 0)
            .SelectMany(kind => Enumerable.Range(0, kind.Count).Select(i => MisbehavingClient.QueueOf(kind.What, i)))];

    /// <summary>How often the server cut one of them, or did not let one in.</summary>
    public int Cut => _kinds.Sum(kind => kind.Clients.Sum(client => client.Cut));

    /// <inheritdoc cref="MisbehavingSends.Refused"/>
    public int Refused => _kinds.Sum(kind => kind.Clients.Sum(client => client.Refused));

    /// <summary>They begin; completes when they have subscribed, and what they do not take was sent to them.</summary>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        var clients = _kinds.SelectMany(kind => kind.Clients).ToList();
        var subscribed = new CountdownEvent(clients.Count);
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _running = Task.WhenAll(clients.Select(client => client.RunAsync(() =>
        {
            if (subscribed.Signal())
                all.SetResult();
        })));
        await all.Task.WaitAsync(cancellationToken);
        subscribed.Dispose();
        foreach (var (what, kind) in _kinds)
        {
            var (messages, bytes) = Backlog(what);
            using var filling = new Filling(_target, [.. kind.Select(client => client.Queue)], bytes);
            await filling.ConnectAsync();
            await filling.RoundsAsync(messages, cancellationToken);
        }
    }

    /// <summary>Completes when all have left.</summary>
    public Task EndAsync()
    {
        Dispose();
        return _running;
    }

    public void Dispose()
    {
        foreach (var client in _kinds.SelectMany(kind => kind.Clients))
            client.Dispose();
    }

    // Of all: as many of each, the first kinds one more where that does not come out even.
    private static IEnumerable<(Misbehaviour What, int Count)> KindsOf(Misbehaviour what, int count)
    {
        if (what != Misbehaviour.All)
            return [(what, count)];
        Misbehaviour[] kinds = [.. Enum.GetValues<Misbehaviour>().Except([Misbehaviour.None, Misbehaviour.All])];
        return kinds.Select((kind, i) => (kind, (count / kinds.Length) + (i < count % kinds.Length ? 1 : 0)));
    }

    private static (int Messages, int Bytes) Backlog(Misbehaviour what) => what switch
    {
        Misbehaviour.NeverAcknowledge or Misbehaviour.GiveBack => (SmallMessages, 1),
        Misbehaviour.ReadSlowly or Misbehaviour.ReadSteadily => (LargeMessages, Filling.LargeBytes),
        Misbehaviour.SubscribeOften => (SmallMessages, 1),
        _ => (0, 1),
    };
}
