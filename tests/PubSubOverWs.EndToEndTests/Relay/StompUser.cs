using System.Text;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A user of a real server: publishes and learns what became of it, subscribes and learns what comes.</summary>
internal sealed class StompUser : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly StompConnection _connection;

    private StompUser(StompConnection connection) => _connection = connection;

    public static async Task<StompUser> ConnectAsync(Uri server)
    {
        var connection = new StompConnection(await ClientTarget.ResolveAsync(server, CancellationToken.None));
        Assert.Null(await connection.OpenAsync());
        Assert.Null(await connection.LogInAsync());
        return new StompUser(connection);
    }

    /// <summary>Logs in and leaves. Null: the server let it in. Otherwise why not.</summary>
    public static async Task<string?> TryConnectAsync(Uri server, string login, string passcode)
    {
        var access = new ServerAccess(login, new Secret(passcode), StatsToken: null);
        using var connection = new StompConnection(await ClientTarget.ResolveAsync(server, access, CancellationToken.None));
        Assert.Null(await connection.OpenAsync());
        return (await connection.LogInAsync())?.Detail;
    }

    /// <summary>Null: the server has taken it (receipt, outcome taken). Otherwise the sentence of its ERROR.</summary>
    public async Task<string?> PublishAsync(string destination, string id, int bytes = 10)
    {
        Assert.True(_connection.TrySend(StompMessages.Send(destination, id, new byte[bytes], receipt: id)));
        string? error = null;
        await ReadUntilAsync(frame =>
        {
            // A subscriber that publishes meanwhile: at least once is often twice.
            if (frame.Command == StompCommand.Message)
                return false;
            error = frame.Command == StompCommand.Error ? frame.GetString(StompNames.Message) : null;
            Assert.True(
                error is not null || frame.GetString("outcome"u8) == "taken",
                $"{frame.Command} {frame.GetString("receipt-id"u8)} outcome {frame.GetString("outcome"u8)} after {id}");
            return true;
        });
        return error;
    }

    /// <summary>Subscribes, and completes when that is known to be done and all of these ids have come, each at least once.</summary>
    public Task ReceiveAllAsync(string destination, IReadOnlyCollection<string> expected) =>
        ReceiveAllAsync(destination, expected, acknowledged: null);

    /// <summary>Likewise, and acknowledges these of them; completes when the server knows.</summary>
    public async Task AcknowledgeAsync(string destination, IReadOnlyCollection<string> expected, IReadOnlyCollection<string> acknowledged)
    {
        await ReceiveAllAsync(destination, expected, acknowledged);
        // Frames are acted on in their order.
        Assert.True(_connection.TrySend(StompMessages.Subscribe("known", "/queue/nothing-comes-here")));
        await ReadUntilAsync(frame => frame.Command == StompCommand.Receipt && frame.GetString(StompNames.ReceiptId) == "known");
    }

    /// <summary>Messages of the subscription are to be acknowledged one by one.</summary>
    public void Subscribe(string destination) =>
        Assert.True(_connection.TrySend(StompMessages.Subscribe(destination, destination, "client-individual")));

    /// <summary>Completes when the message has come.</summary>
    /// <returns>What to acknowledge it by.</returns>
    public async Task<string> ReceiveAsync(string id)
    {
        string? ack = null;
        await ReadUntilAsync(frame =>
        {
            if (frame.Command == StompCommand.Message && frame.GetString(StompNames.Id) == id)
                ack = frame.GetString(StompNames.Ack);
            return ack is not null;
        });
        return ack!;
    }

    /// <summary>Waits for the message, and answers with <c>ACK</c> or <c>NACK</c>. What comes before it is passed over.</summary>
    public async Task AnswerAsync(string command, string id)
    {
        var answer = $"{command}\nid:{await ReceiveAsync(id)}\n\n\0";
        Assert.True(_connection.TrySend(ClientFrames.Write(Opcodes.Text, Encoding.UTF8.GetBytes(answer), mask: 0)));
    }

    private async Task ReceiveAllAsync(string destination, IReadOnlyCollection<string> expected, IReadOnlyCollection<string>? acknowledged)
    {
        Assert.True(
            _connection.TrySend(StompMessages.Subscribe(destination, destination, acknowledged is null ? "auto" : "client-individual")));
        var came = new HashSet<string>();
        var isSubscribed = false;
        await ReadUntilAsync(frame =>
        {
            // What was kept for the subscription may come before its receipt, which must not be taken for that of what is published next.
            isSubscribed |= frame.Command == StompCommand.Receipt;
            if (frame.Command == StompCommand.Message && frame.GetString(StompNames.Id) is { } id && came.Add(id)
                && acknowledged?.Contains(id) == true)
            {
                frame.TryGet(StompNames.Ack, out var ack);
                Assert.True(_connection.TrySend(StompMessages.Ack(ack)));
            }
            return isSubscribed && came.IsSupersetOf(expected);
        });
    }

    public void Dispose() => _connection.Dispose();

    // A frame is valid only until the next is read, and cannot wait.
    private delegate bool Reader(StompFrame frame);

    private async Task ReadUntilAsync(Reader isLast)
    {
        // What never comes is a finding, and shall not keep the test waiting.
        using var patience = new CancellationTokenSource(Patience);
        await using var registration = patience.Token.Register(_connection.Abort);
        do
        {
            while (_connection.TryRead(out var frame))
            {
                if (isLast(frame))
                    return;
            }
        }
        while (await _connection.ReceiveAsync());
        throw new InvalidOperationException(
            patience.IsCancellationRequested
                ? $"What was waited for did not come within {Patience.TotalSeconds} s."
                : $"The server closed the connection: {_connection.Fault}");
    }
}
