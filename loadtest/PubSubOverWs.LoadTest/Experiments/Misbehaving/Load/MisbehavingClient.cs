using System.Collections.Concurrent;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.Misbehaving.Load;

/// <summary>One client that misbehaves, and comes back whenever the server cuts it, until it is disposed.</summary>
internal sealed class MisbehavingClient(ClientTarget target, Misbehaviour what, int number, int count, TimeProvider time) : IDisposable
{
    private const int Prefetch = 100_000;

    // The smallest that the system allows, and segments as over Ethernet: messages that the client does not read must wait in the server.
    private const int ReceiveBuffer = 4 * 1024;
    private const int SegmentBytes = 1460;

    private static readonly TimeSpan BetweenReads = TimeSpan.FromSeconds(1);

    // 30 kB a second.
    private const int SteadyBytes = 3_000;
    private static readonly TimeSpan BetweenSteadyReads = TimeSpan.FromMilliseconds(100);

    // More than a server lets one connection have under way.
    private const int CommittedTransactions = 64;

    // After which @stomp/stompjs connects again, unless it is told otherwise.
    private static readonly TimeSpan ReconnectDelay = TimeSpan.FromSeconds(5);

    // Of those that leave together, before they count as begun: by then the server's code for all that they do is compiled.
    private const int RoundsBefore = 5;
    private static readonly TimeSpan RoundBefore = TimeSpan.FromSeconds(1);

    private readonly CancellationTokenSource _leaving = new();
    private volatile StompConnection? _connection;
    private volatile MisbehavingSends? _sends;

    /// <summary>The queue that it alone consumes.</summary>
    public string Queue { get; } = QueueOf(what, number);

    /// <summary>How often the server cut it, or did not let it in.</summary>
    public int Cut { get; private set; }

    /// <inheritdoc cref="MisbehavingSends.Refused"/>
    public int Refused => _sends?.Refused ?? 0;

    public static string QueueOf(Misbehaviour what, int number) => $"/queue/misbehaving-{what}-{number}";

    /// <summary>Misbehaves until it is disposed.</summary>
    /// <param name="begun">Told once, when what it subscribes to is sent; of those that leave together, after some rounds.</param>
    public async Task RunAsync(Action begun)
    {
        using var sends = new MisbehavingSends();
        _sends = sends;
        // Independent of each other: they neither come nor are cut in the same moment.
        await PauseAsync(ReconnectDelay * number / count);
        // Below 0 when it has begun.
        var roundsBefore = what == Misbehaviour.LeaveTogether ? RoundsBefore : 0;
        while (!_leaving.IsCancellationRequested)
        {
            using var connection = Pace.Pause > TimeSpan.Zero
                ? new StompConnection(target, ReceiveBuffer, SegmentBytes)
                : new StompConnection(target);
            _connection = connection;
            if (_leaving.IsCancellationRequested)
                break;
            if (await connection.OpenAsync() is null && await connection.LogInAsync() is null)
            {
                foreach (var subscribe in Subscriptions())
                    sends.Add(connection, subscribe);
                if (roundsBefore-- == 0)
                    begun();
                foreach (var transaction in Transactions())
                    sends.Add(connection, transaction);
                var leaving = what == Misbehaviour.LeaveTogether
                    ? LeaveAsync(connection, sends, every: roundsBefore < 0 ? ReconnectDelay : RoundBefore)
                    : null;
                await ReadAsync(connection, sends);
                if (leaving is not null)
                {
                    var hasLeft = leaving.IsCompleted;
                    await leaving;
                    if (hasLeft)
                        continue;
                }
            }
            if (!_leaving.IsCancellationRequested)
                Cut++;
            await PauseAsync(ReconnectDelay);
        }
        if (roundsBefore >= 0)
            begun();
    }

    public void Dispose()
    {
        _leaving.Cancel();
        _connection?.Abort();
    }

    // How much is read at a time, and how long it then waits. No pause: all that comes, at once.
    private (int Bytes, TimeSpan Pause) Pace => what switch
    {
        Misbehaviour.ReadSlowly or Misbehaviour.CommitUnread => (1, BetweenReads),
        Misbehaviour.ReadSteadily => (SteadyBytes, BetweenSteadyReads),
        _ => (int.MaxValue, TimeSpan.Zero),
    };

    private IEnumerable<byte[]> Transactions() => what switch
    {
        Misbehaviour.LeaveTransactionsOpen => MisbehavingFrames.OpenTransactions,
        Misbehaviour.CommitUnread => Enumerable.Repeat(MisbehavingFrames.CommittedTransaction, CommittedTransactions),
        _ => [],
    };

    private IEnumerable<byte[]> Subscriptions() => what switch
    {
        Misbehaviour.NeverAcknowledge =>
            [StompMessages.Subscribe("q", Queue, "client", Prefetch),
                StompMessages.Subscribe("t", MisbehavingScenario.Topic(number), "client")],
        Misbehaviour.GiveBack =>
            [StompMessages.Subscribe("q", Queue, "client-individual"),
                StompMessages.Subscribe("t", MisbehavingScenario.Topic(number), "client-individual")],
        Misbehaviour.ReadSlowly or Misbehaviour.ReadSteadily =>
            [StompMessages.Subscribe("q", Queue), StompMessages.Subscribe("t", MisbehavingScenario.Topic(number))],
        Misbehaviour.SubscribeOften => MisbehavingFrames.Subscriptions(Queue, MisbehavingScenario.Topic(number)),
        Misbehaviour.LeaveTogether => [MisbehavingFrames.SubscriptionsToLeave],
        _ => [],
    };

    // All clients go by the same clock, and so leave in the same moment.
    private async Task LeaveAsync(StompConnection connection, MisbehavingSends sends, TimeSpan every)
    {
        var now = time.GetElapsedTime(0, time.GetTimestamp());
        await PauseAsync(every - TimeSpan.FromTicks(now.Ticks % every.Ticks));
        sends.Add(connection, StompMessages.Leave());
    }

    private async Task ReadAsync(StompConnection connection, MisbehavingSends sends)
    {
        do
        {
            while (connection.TryRead(out var frame))
            {
                if (what == Misbehaviour.GiveBack && frame.TryGet(StompNames.Ack, out var id))
                    sends.Add(connection, StompMessages.Nack(id));
            }
            if (Pace.Pause > TimeSpan.Zero)
                await PauseAsync(Pace.Pause);
        }
        while (await connection.ReceiveAsync(Pace.Bytes));
    }

    // Ends early when it is disposed.
    private async Task PauseAsync(TimeSpan length) =>
        await Task.Delay(length, time, _leaving.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}

/// <summary>
/// Sends for one misbehaving client, from a thread of its own: a send blocks while the server does not read, and a blocked thread of the
/// pool would hold up the clients that are measured.
/// </summary>
internal sealed class MisbehavingSends : IDisposable
{
    // More than a client ever has to send: an answer to each unacknowledged message of two subscriptions (Relay:PrefetchCount, 100).
    private const int Capacity = 1_024;

    private readonly BlockingCollection<(StompConnection To, byte[] Frames)> _waiting = new(Capacity);
    private readonly Thread _thread;
    private int _refused;

    public MisbehavingSends()
    {
        _thread = new Thread(Run) { IsBackground = true, Name = "misbehaving client" };
        _thread.Start();
    }

    /// <summary>Frames for which there was no room. Above 0 the client did not misbehave as it should.</summary>
    public int Refused => Volatile.Read(ref _refused);

    /// <summary>Queues without waiting. The frames are sent in order, or dropped when their connection is gone.</summary>
    public void Add(StompConnection connection, byte[] frames)
    {
        if (!_waiting.TryAdd((connection, frames)))
            Interlocked.Increment(ref _refused);
    }

    /// <summary>Nothing may be added any more; frames for connections that are gone are dropped.</summary>
    public void Dispose()
    {
        _waiting.CompleteAdding();
        _thread.Join();
        _waiting.Dispose();
    }

    private void Run()
    {
        foreach (var (connection, frames) in _waiting.GetConsumingEnumerable())
            connection.TrySend(frames);
    }
}
