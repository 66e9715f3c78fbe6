using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>Subscribes to one user's queue, again after every reconnect, and acknowledges each message that is in the client log.</summary>
/// <param name="guard">Protects the client log.</param>
/// <param name="bytesPerSecond">The most that it reads; null: no limit.</param>
public sealed class Subscriber(
    ClientTarget target, Backoff backoff, IterationPlan plan, int user, ClientLog log, Lock guard, int? bytesPerSecond)
    : ReturningClient([target], backoff, plan.ConnectTimeout, bytesPerSecond is null ? null : SlowReceiveBuffer)
{
    // The default buffer of megabytes would hide a slow reader from the server for a long time.
    private const int SlowReceiveBuffer = 4096;
    private const int ReadsPerSecond = 10;

    private readonly byte[] _subscribe = StompMessages.Subscribe("s", plan.Destination(user), "client-individual");
    private volatile bool _readsAtFullSpeed = bytesPerSecond is null;

    public void ReadAtFullSpeed() => _readsAtFullSpeed = true;

    protected override Task<ConnectFailure?> GreetAsync(StompConnection connection) =>
        connection.SubscribeAsync(_subscribe, (frame, stamp) => Take(connection, frame, stamp));

    protected override void Arrived(StompConnection connection)
    {
        // Nothing to do: the server sends kept messages by itself.
    }

    protected override void Lost(string? why)
    {
        lock (guard)
            log.Fail(new ConnectFailure(Cause.ServerClosed, why ?? "a subscriber lost its connection"));
    }

    protected override void Take(StompConnection connection, StompFrame frame, long stamp)
    {
        lock (guard)
            log.Take(frame, stamp);
        if (frame.Command == StompCommand.Message && frame.TryGet(StompNames.Ack, out var id))
            connection.TrySend(StompMessages.Ack(id));
    }

    protected override async ValueTask<bool> ReceiveAsync(StompConnection connection)
    {
        if (_readsAtFullSpeed)
            return await connection.ReceiveAsync();
        await WaitAsync(TimeSpan.FromSeconds(1.0 / ReadsPerSecond)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return await connection.ReceiveAsync(_readsAtFullSpeed ? int.MaxValue : Math.Max(1, bytesPerSecond!.Value / ReadsPerSecond));
    }
}
