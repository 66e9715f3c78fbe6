using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Fuzz.Framing;

/// <summary>
/// WebSocket framing, right and wrong, against the endpoint in Kestrel, over connections in memory; all are clients of the raw relay, which
/// sends back what it gets.
/// </summary>
internal sealed class FramingTarget : IFuzzTarget
{
    public const string Id = "framing";

    /// <summary>The same, with the lean front end.</summary>
    public const string LeanId = "lean-framing";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    // Writes to a client that has not read were seen to wait from 64 KiB on.
    private const int NeverWaits = 32 * 1024;

    private static readonly byte[] Handshake =
        ("GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"u8
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"u8).ToArray();

    private readonly MemoryServer _server;

    private FramingTarget(string name, MemoryServer server) => (Name, _server) = (name, server);

    public string Name { get; }

    public string Unit => FuzzTargets.Frames;

    public static async Task<FramingTarget> StartAsync(FrontEnd frontEnd) => new(
        frontEnd == FrontEnd.Lean ? LeanId : Id, await MemoryServer.StartAsync(frontEnd));

    public async Task<int> StepAsync(Draw draw)
    {
        var (connection, script) = (_server.Connect(), new ClientScript(draw));
        try
        {
            await TalkAsync(connection, draw, script);
        }
        finally
        {
            connection.Complete();
        }
        await connection.Ended.WaitAsync(Patience);
        return script.Frames;
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    private async Task TalkAsync(MemoryConnection connection, Draw draw, ClientScript script)
    {
        var droppedBefore = _server.Meter.Drops["closed"];
        await connection.SendAsync(Handshake);
        List<byte> received = [];
        int start;
        while ((start = HandshakeEnd(received)) < 0)
            Assert.True(await connection.ReceiveAsync(received), "The handshake was not answered.");
        Assert.StartsWith("HTTP/1.1 101 ", System.Text.Encoding.ASCII.GetString([.. received.Take(20)]), StringComparison.Ordinal);

        foreach (var piece in draw.Pieces(script.Bytes))
            await connection.SendAsync(piece);
        // What no close frame ends, the end of the stream does.
        var isOpen = script.Close is not null;
        if (!isOpen)
            connection.Complete();
        while (await ReceiveAsync(connection, received, script))
        {
            if (!isOpen || ServerFrames.Read([.. received.Skip(start)]).Close is null)
                continue;
            connection.Complete();
            isOpen = false;
        }
        Check(script, ServerFrames.Read([.. received.Skip(start)]), (int)(_server.Meter.Drops["closed"] - droppedBefore));
    }

    private static async Task<bool> ReceiveAsync(MemoryConnection connection, List<byte> received, ClientScript script)
    {
        try
        {
            return await connection.ReceiveAsync(received).WaitAsync(Patience);
        }
        catch (TimeoutException hang)
        {
            var end = script.Bytes.Span[^Math.Min(60, script.Bytes.Length)..];
            throw new InvalidOperationException(
                $"The server waits where it should close with {script.Close}: what it got ends with {Convert.ToHexString(end)}.", hang);
        }
    }

    private static void Check(ClientScript script, ServerFrames answer, int dropped)
    {
        Assert.Equal(0, answer.Rest);
        // RFC 6455, 5.5.1 and 5.5.2: after a close frame no data; but a ping is answered until the client's close frame has come.
        Assert.All(answer.AfterClose,
            opcode =>
                Assert.True(
                    opcode == ServerFrames.Pong && script.Close != 1000, $"A frame of opcode {opcode} came after the close frame."));
        if (!script.MayCut)
            Assert.Contains(answer.Close, script.IsReasonNoText ? [1002, 1007] : new[] { script.Close });
        // Before an offence all is answered that was right, as far as the connection lasted.
        var isWhole = script.Close == 1000;
        // Of a client that closes before it reads, what waits behind a write is dropped and counted, and nothing else.
        Assert.True(
            !isWhole || dropped == 0 || script.Messages.Sum(message => message.Length) >= NeverWaits,
            $"{dropped} messages were dropped that never wait.");
        ServerFrames.AssertBegin("messages", script.Messages, answer.Messages, isWhole ? dropped : null);
        ServerFrames.AssertBegin("pongs", script.Pongs, answer.Pongs, isWhole ? 0 : null);
    }

    private static int HandshakeEnd(List<byte> received)
    {
        var end = System.Runtime.InteropServices.CollectionsMarshal.AsSpan(received).IndexOf("\r\n\r\n"u8);
        return end < 0 ? -1 : end + 4;
    }
}
