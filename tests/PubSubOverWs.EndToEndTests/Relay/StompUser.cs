using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A user of a real server: publishes and learns what became of it, subscribes and learns what comes.</summary>
internal sealed class StompUser : IDisposable
{
    private readonly StompConnection _connection;

    private StompUser(StompConnection connection) => _connection = connection;

    public static async Task<StompUser> ConnectAsync(Uri server)
    {
        var connection = new StompConnection(await ClientTarget.ResolveAsync(server, CancellationToken.None));
        Assert.Null(await connection.OpenAsync());
        Assert.Null(await connection.LogInAsync());
        return new StompUser(connection);
    }

    /// <summary>Null: the server has taken it (receipt, outcome taken). Otherwise the sentence of its ERROR.</summary>
    public async Task<string?> PublishAsync(string destination, string id, int bytes = 10)
    {
        Assert.True(_connection.TrySend(StompMessages.Send(destination, id, new byte[bytes], receipt: id)));
        return await ReadAsync((StompFrame frame, out string? error) =>
        {
            error = frame.Command == StompCommand.Error ? frame.GetString(StompNames.Message) : null;
            Assert.True(error is not null || frame.GetString("outcome"u8) == "taken");
            return true;
        });
    }

    /// <summary>Subscribes, and completes when all of these ids have come, each at least once.</summary>
    public async Task ReceiveAllAsync(string destination, IReadOnlyCollection<string> expected)
    {
        Assert.True(_connection.TrySend(StompMessages.Subscribe("s", destination)));
        var came = new HashSet<string>();
        await ReadAsync((StompFrame frame, out int distinct) =>
        {
            if (frame.Command == StompCommand.Message)
                came.Add(frame.GetString(StompNames.Id)!);
            distinct = came.Count;
            return came.IsSupersetOf(expected);
        });
    }

    public void Dispose() => _connection.Dispose();

    // A frame is valid only until the next is read, and cannot wait.
    private delegate bool Reader<T>(StompFrame frame, out T result);

    private async Task<T> ReadAsync<T>(Reader<T> isLast)
    {
        do
        {
            while (_connection.TryRead(out var frame))
            {
                if (isLast(frame, out var result))
                    return result;
            }
        }
        while (await _connection.ReceiveAsync());
        throw new InvalidOperationException($"The server closed the connection: {_connection.Fault}");
    }
}
