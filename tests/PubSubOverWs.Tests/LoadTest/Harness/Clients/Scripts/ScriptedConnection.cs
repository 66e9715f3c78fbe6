using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.LoadTest.Harness.Clients.Scripts;

/// <summary>One connection of a <see cref="ScriptedServer"/>.</summary>
internal sealed class ScriptedConnection(WebSocket socket, Action abort)
{
    private readonly byte[] _buffer = new byte[100_000];
    private bool _cut;

    /// <summary>The next frame.</summary>
    /// <exception cref="InvalidDataException">It is another one.</exception>
    public async Task<PlainFrame> ReceiveAsync(StompCommand command) => await ReceiveAnyAsync() is var frame && frame.Command == command
        ? frame
        : throw new InvalidDataException($"{frame.Command} came in place of {command}.");

    /// <summary>The next frame, whatever it is.</summary>
    public async Task<PlainFrame> ReceiveAnyAsync()
    {
        var length = 0;
        ValueWebSocketReceiveResult received;
        do
        {
            received = await socket.ReceiveAsync(_buffer.AsMemory(length), CancellationToken.None);
            length += received.Count;
        }
        while (!received.EndOfMessage);
        return new StompReader(new StompLimits()).TryRead(_buffer.AsSpan(0, length), out var frame, out _)
            ? PlainFrame.Copy(frame)
            : throw new InvalidDataException("What came is no whole frame.");
    }

    /// <summary>As it stands in the specification, without the NUL.</summary>
    public Task SendAsync(string frame) =>
        socket.SendAsync(Encoding.Latin1.GetBytes(frame + "\0"), WebSocketMessageType.Text, true, CancellationToken.None);

    public async Task LetInAsync()
    {
        await ReceiveAsync(StompCommand.Connect);
        await SendAsync("CONNECTED\nversion:1.2\n\n");
    }

    /// <summary>CONNECT and SUBSCRIBE, each answered.</summary>
    public async Task LetSubscribeAsync()
    {
        await LetInAsync();
        await ReceiveAsync(StompCommand.Subscribe);
        await SendAsync("RECEIPT\nreceipt-id:s\n\n");
    }

    public Task DeliverAsync(PlainFrame send) =>
        SendAsync($"MESSAGE\nid:{send.Header("id")}\nack:{send.Header("id")}\ncontent-length:{send.Body.Length}\n\n{send.Body}");

    public Task AnswerAsync(PlainFrame send) => SendAsync($"RECEIPT\nreceipt-id:{send.Header("receipt")}\noutcome:taken\n\n");

    /// <summary>Resets the connection.</summary>
    public void Cut()
    {
        _cut = true;
        abort();
    }

    /// <summary>Ends the connection with the closing handshake, behind all that was sent.</summary>
    public Task CloseAsync() => socket.CloseOutputAsync(WebSocketCloseStatus.PolicyViolation, null, CancellationToken.None);

    /// <summary>Reads on until the client leaves, or has gone.</summary>
    public async Task UntilClosedAsync()
    {
        if (_cut)
            return;
        try
        {
            while ((await socket.ReceiveAsync(_buffer, CancellationToken.None)).MessageType != WebSocketMessageType.Close)
            {
            }
            await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, CancellationToken.None);
        }
        catch (Exception error) when (error is WebSocketException or OperationCanceledException)
        {
            // It has gone.
        }
    }
}
