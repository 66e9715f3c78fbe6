using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Bench.Misbehaving;

/// <summary>One client that misbehaves, and comes back whenever the server cuts it, until it is disposed.</summary>
internal sealed class MisbehavingClient(ClientTarget target, Misbehaviour what, int number, TimeProvider time) : IDisposable
{
    private const int Prefetch = 100_000;
    private const int ManySubscriptions = 1_000;
    private const int OnSharedTopic = 10;
    private const int Transactions = 16;
    private const int SendsInTransaction = 1_000;
    private const int LongName = 3_000;

    // The least that the system allows, and segments as over Ethernet: what the client does not read shall wait in the server.
    private const int ReceiveBuffer = 4 * 1024;
    private const int SegmentBytes = 1460;

    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    private readonly CancellationTokenSource _leaving = new();
    private volatile StompConnection? _connection;

    /// <summary>The queue that it alone consumes.</summary>
    public string Queue { get; } = $"/queue/misbehaving-{what}-{number}";

    /// <summary>How often the server cut it, or did not let it in.</summary>
    public int Cut { get; private set; }

    /// <summary>Misbehaves until it is disposed. Blocks its thread while the server does not read what it sends.</summary>
    /// <param name="subscribed">Told once, when what it first subscribes to is sent.</param>
    public async Task RunAsync(Action subscribed)
    {
        var told = false;
        while (!_leaving.IsCancellationRequested)
        {
            using var connection = what == Misbehaviour.ReadSlowly ? new StompConnection(target, ReceiveBuffer, SegmentBytes) : new StompConnection(target);
            _connection = connection;
            if (_leaving.IsCancellationRequested)
                break;
            if (await connection.OpenAsync() is null && await connection.LogInAsync() is null)
            {
                foreach (var subscribe in Subscriptions())
                    connection.TrySend(subscribe);
                if (!told)
                    subscribed();
                told = true;
                if (what == Misbehaviour.LeaveTransactionsOpen)
                    FillTransactions(connection);
                await ReadAsync(connection);
            }
            if (!_leaving.IsCancellationRequested)
                Cut++;
            await Task.Delay(Pause, time, _leaving.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        if (!told)
            subscribed();
    }

    public void Dispose()
    {
        _leaving.Cancel();
        _connection?.Abort();
    }

    private IEnumerable<byte[]> Subscriptions() => what switch
    {
        Misbehaviour.NeverAcknowledge =>
            [StompMessages.Subscribe("q", Queue, "client", Prefetch), StompMessages.Subscribe("t", WellBehavedClients.Topic(number), "client")],
        Misbehaviour.GiveBack =>
            [StompMessages.Subscribe("q", Queue, "client-individual"), StompMessages.Subscribe("t", WellBehavedClients.Topic(number), "client-individual")],
        Misbehaviour.ReadSlowly => [StompMessages.Subscribe("q", Queue), StompMessages.Subscribe("t", WellBehavedClients.Topic(number))],
        Misbehaviour.SubscribeOften => Enumerable.Range(0, ManySubscriptions).Select(Subscription),
        _ => [],
    };

    private byte[] Subscription(int index) => StompMessages.Subscribe(
        $"s{index}",
        index switch
        {
            0 => Queue,
            < OnSharedTopic => WellBehavedClients.Topic(number),
            _ => $"/topic/{new string('n', LongName)}-{number}-{index}",
        },
        "client");

    private void FillTransactions(StompConnection connection)
    {
        var name = new string('n', LongName);
        for (var transaction = 0; transaction < Transactions; transaction++)
        {
            connection.TrySend(StompMessages.Begin($"t{transaction}"));
            for (var i = 0; i < SendsInTransaction; i++)
            {
                if (!connection.TrySend(StompMessages.Send($"/queue/{name}-{i}", $"{number}-{i}", [0], receipt: $"{name}-{i}", $"t{transaction}")))
                    return;
            }
        }
    }

    private async Task ReadAsync(StompConnection connection)
    {
        do
        {
            while (connection.TryRead(out var frame))
            {
                if (what == Misbehaviour.GiveBack && frame.TryGet(StompNames.Ack, out var id))
                    connection.TrySend(StompMessages.Nack(id));
            }
            if (what == Misbehaviour.ReadSlowly)
                await Task.Delay(Pause, time, _leaving.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        while (await connection.ReceiveAsync(what == Misbehaviour.ReadSlowly ? 1 : int.MaxValue));
    }
}
