using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>One connection to a node: it subscribes or publishes, and hears what comes until the connection ends.</summary>
internal sealed class NodeClient : IDisposable
{
    private readonly StompConnection _connection;
    private Task _listening = Task.CompletedTask;

    private NodeClient(ClientTarget target) => _connection = new StompConnection(target);

    /// <summary>Completes when the connection has ended.</summary>
    public Task Ended => _listening;

    /// <exception cref="ChildException">The server does not let it in.</exception>
    public static async Task<NodeClient> SubscribeAsync(ClientTarget target, string destination, bool acknowledges, Tally tally)
    {
        var client = await LogInAsync(target);
        client._connection.TrySend(StompMessages.Subscribe("s", destination, acknowledges ? "client-individual" : "auto"));
        client.Check(await client._connection.ExpectAsync(StompCommand.Receipt), target);
        client._listening = client.ListenAsync((in StompFrame frame) =>
        {
            if (frame.Command != StompCommand.Message)
                return;
            tally.Count(frame);
            if (acknowledges && frame.TryGet(StompNames.Ack, out var ack))
                client._connection.TrySend(StompMessages.Ack(ack));
        });
        return client;
    }

    /// <param name="target">Where to connect.</param>
    /// <param name="receipt">Told of each receipt: its id, and whether the message was taken.</param>
    /// <exception cref="ChildException">The server does not let it in.</exception>
    public static async Task<NodeClient> PublishAsync(ClientTarget target, Action<string, bool> receipt)
    {
        var client = await LogInAsync(target);
        client._listening = client.ListenAsync((in StompFrame frame) =>
        {
            if (frame.Command == StompCommand.Receipt)
                receipt(frame.GetString(StompNames.ReceiptId) ?? "", frame.GetString("outcome"u8) == "taken");
        });
        return client;
    }

    /// <summary>False: the connection is gone.</summary>
    public bool TrySend(ReadOnlySpan<byte> frame) => _connection.TrySend(frame);

    /// <summary>Ends the connection at once, from any thread.</summary>
    public void Abort() => _connection.Abort();

    public void Dispose() => _connection.Dispose();

    private delegate void Hearing(in StompFrame frame);

    private async Task ListenAsync(Hearing hear)
    {
        do
        {
            while (_connection.TryRead(out var frame))
            {
                hear(frame);
            }
        }
        while (await _connection.ReceiveAsync());
    }

    private static async Task<NodeClient> LogInAsync(ClientTarget target)
    {
        var client = new NodeClient(target);
        client.Check(await client._connection.OpenAsync(), target);
        client.Check(await client._connection.LogInAsync(), target);
        return client;
    }

    private void Check(ConnectFailure? failure, ClientTarget target)
    {
        if (failure is null)
            return;
        Dispose();
        throw new ChildException($"A connection to {target.Address} could not be used: {failure.Detail}. Look at the log of that server.", ChildException.Unreachable);
    }
}
