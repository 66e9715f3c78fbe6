using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>One connection to a node: it subscribes or publishes, and hears what comes until the connection ends.</summary>
internal sealed class NodeClient : IDisposable
{
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(10);

    private readonly StompConnection _connection;
    private Task _listening = Task.CompletedTask;

    private NodeClient(ClientTarget target) => _connection = new StompConnection(target);

    /// <summary>Completes when the connection has ended.</summary>
    public Task Ended => _listening;

    /// <exception cref="ChildException">The server does not let it in, or does not answer.</exception>
    public static async Task<NodeClient> SubscribeAsync(
        ClientTarget target, string destination, bool acknowledges, Tally tally, CancellationToken stopping)
    {
        var client = new NodeClient(target);
        await client.ConnectAsync(
            target, client.SubscribeAsync(StompMessages.Subscribe("s", destination, acknowledges ? "client-individual" : "auto"), Hear),
            stopping);
        client._listening = client.ListenAsync(Hear);
        return client;

        void Hear(StompFrame frame)
        {
            if (frame.Command != StompCommand.Message)
                return;
            tally.Count(frame);
            if (acknowledges && frame.TryGet(StompNames.Ack, out var ack))
                client._connection.TrySend(StompMessages.Ack(ack));
        }
    }

    /// <param name="target">Where to connect.</param>
    /// <param name="receipt">Told of each receipt: its id, and whether the message was taken.</param>
    /// <param name="stopping">Ends the connecting.</param>
    /// <exception cref="ChildException">The server does not let it in, or does not answer.</exception>
    public static async Task<NodeClient> PublishAsync(ClientTarget target, Action<string, bool> receipt, CancellationToken stopping)
    {
        var client = new NodeClient(target);
        await client.ConnectAsync(target, client.LogInAsync(), stopping);
        client._listening = client.ListenAsync(frame =>
        {
            if (frame.Command == StompCommand.Receipt)
                receipt(frame.GetString(StompNames.ReceiptId) ?? "", frame.GetString("outcome"u8) == "taken");
        });
        return client;
    }

    /// <summary>False: the connection is gone.</summary>
    public bool TrySend(ReadOnlySpan<byte> frame) => _connection.TrySend(frame);

    public void Dispose() => _connection.Dispose();

    private async Task ListenAsync(Action<StompFrame> hear)
    {
        do
        {
            while (_connection.TryRead(out var frame))
                hear(frame);
        }
        while (await _connection.ReceiveAsync());
    }

    private async Task<ConnectFailure?> SubscribeAsync(byte[] subscribe, Action<StompFrame> hear) =>
        await LogInAsync() ?? await _connection.SubscribeAsync(subscribe, (frame, _) => hear(frame));

    private async Task<ConnectFailure?> LogInAsync() => await _connection.OpenAsync() ?? await _connection.LogInAsync();

    private async Task ConnectAsync(ClientTarget target, Task<ConnectFailure?> connecting, CancellationToken stopping)
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        timeout.CancelAfter(ConnectTimeout);
        ConnectFailure? failure;
        await using (timeout.Token.UnsafeRegister(connection => ((StompConnection)connection!).Abort(), _connection))
            failure = await connecting;
        if (failure is null)
            return;
        Dispose();
        stopping.ThrowIfCancellationRequested();
        throw new ChildException(
            $"A connection to {target.Address} could not be used: {failure.Detail}. Look at the log of that server.",
            ChildException.Unreachable);
    }
}
