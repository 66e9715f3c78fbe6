using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.Relay;

/// <summary>
/// A client that writes its frames by hand, so that it can write wrong ones, and reads what comes with the reader of the product.
/// </summary>
internal sealed class StompTestClient(WebSocket socket, MemoryTransport transport, Task session, WebSocketMessageType kind)
    : TestClient(socket, transport, session)
{
    private readonly Queue<PlainFrame> _frames = [];
    private int _lastReceipt;

    public StompVersion Version { get; set; } = StompVersion.V12;

    /// <summary>Bytes of STOMP received, heart-beats included.</summary>
    public int StompBytes { get; private set; }

    /// <summary>Heart-beats received.</summary>
    public int HeartBeats { get; private set; }

    /// <summary>The kind of the WebSocket message that came last.</summary>
    public WebSocketMessageType LastKind { get; private set; }

    /// <summary>Sends text as it is, in one WebSocket message.</summary>
    public Task SendAsync(string text) => SendAsync(Encoding.UTF8.GetBytes(text), kind);

    /// <summary>SEND. A header is <c>name:value</c>.</summary>
    public Task PublishAsync(string destination, string body, params string[] headers) =>
        SendAsync($"SEND\ndestination:{destination}\n{Lines(headers)}\n{body}\0");

    /// <summary>SUBSCRIBE, and waits until the server has it.</summary>
    public Task SubscribeAsync(string destination, string id, params string[] headers) =>
        AskAsync($"SUBSCRIBE\ndestination:{destination}\nid:{id}\n{Lines(headers)}");

    public Task UnsubscribeAsync(string id) => AskAsync($"UNSUBSCRIBE\nid:{id}\n");

    /// <summary>ACK or NACK of a message, by the header that the version wants, and waits until the server has it.</summary>
    public Task AnswerAsync(StompCommand command, PlainFrame message, params string[] headers)
    {
        var id = Version == StompVersion.V12
            ? $"id:{message.Header("ack")}"
            : $"message-id:{message.Header("message-id")}\nsubscription:{message.Header("subscription")}";
        return AskAsync($"{command.ToString().ToUpperInvariant()}\n{id}\n{Lines(headers)}");
    }

    public Task AckAsync(PlainFrame message) => AnswerAsync(StompCommand.Ack, message);

    public Task NackAsync(PlainFrame message) => AnswerAsync(StompCommand.Nack, message);

    /// <summary>Proves that nothing came: the receipt that is asked for now comes first.</summary>
    public Task ExpectNothingAsync() => AskAsync("BEGIN\ntransaction:empty\n\n\0ABORT\ntransaction:empty\n");

    /// <summary>Sends a frame without a body, with a receipt, which must be what comes next.</summary>
    public async Task<PlainFrame> AskAsync(string head)
    {
        var receipt = $"asked-{++_lastReceipt}";
        await SendAsync($"{head}receipt:{receipt}\n\n\0");
        var answer = await ReceiveAsync(StompCommand.Receipt);
        Assert.Equal(receipt, answer.Header("receipt-id"));
        return answer;
    }

    public async Task<PlainFrame> ReceiveAsync(StompCommand command)
    {
        var frame = await ReceiveAsync();
        Assert.True(command == frame.Command, $"Expected {command}, got {frame}");
        return frame;
    }

    public async Task<PlainFrame> ReceiveAsync()
    {
        while (_frames.Count == 0)
            await ReadMessageAsync();
        return _frames.Dequeue();
    }

    /// <summary>The next frame is a MESSAGE with this body.</summary>
    public async Task<PlainFrame> ReceiveMessageAsync(string body)
    {
        var message = await ReceiveAsync(StompCommand.Message);
        Assert.Equal(body, message.Body);
        return message;
    }

    /// <summary>The next frame is a RECEIPT for <paramref name="receipt"/>. Returns its outcome.</summary>
    public async Task<string?> ReceiveReceiptAsync(string receipt)
    {
        var answer = await ReceiveAsync(StompCommand.Receipt);
        Assert.Equal(receipt, answer.Header("receipt-id"));
        return answer.Header("outcome");
    }

    /// <summary>The next WebSocket message is a heart-beat.</summary>
    public async Task ReceiveHeartBeatAsync()
    {
        var before = HeartBeats;
        await ReadMessageAsync();
        Assert.Equal(before + 1, HeartBeats);
    }

    /// <summary>The next frame is an ERROR, and then the server closes: nothing follows an ERROR.</summary>
    public async Task<PlainFrame> ReceiveErrorAsync()
    {
        var error = await ReceiveAsync(StompCommand.Error);
        Assert.Equal(WebSocketCloseStatus.PolicyViolation, (await ReceiveCloseAsync(isNext: true)).Status);
        Assert.Empty(_frames);
        await SessionEnded;
        return error;
    }

    private async Task ReadMessageAsync()
    {
        (LastKind, var bytes) = await ReceiveMessageAsync();
        StompBytes += bytes.Length;
        if (bytes is [(byte)'\n'])
            HeartBeats++;
        var received = new ReceivedBytes(Version);
        received.Append(bytes);
        Assert.Equal(0, received.Pending);
        received.Frames.ForEach(_frames.Enqueue);
    }

    private static string Lines(string[] headers) => string.Concat(headers.Select(header => header + "\n"));
}
