using System.Net.WebSockets;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Harness.Clients;

public sealed class ClientFramesTests
{
    [Fact]
    public void A_frame_is_masked_as_in_the_example_of_the_RFC()
    {
        // RFC 6455, section 5.7: a single-frame masked text message that says Hello.
        byte[] expected = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58];

        Assert.Equal(expected, ClientFrames.Write(Opcodes.Text, "Hello"u8, mask: 0x3d21fa37));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(125)]
    [InlineData(126)]
    [InlineData(65_535)]
    [InlineData(65_536)]
    public async Task The_server_WebSocket_of_the_runtime_reads_our_frames(int size)
    {
        var payload = Enumerable.Range(0, size).Select(i => (byte)('a' + i % 26)).ToArray();
        using var stream = new MemoryStream(ClientFrames.Write(Opcodes.Text, payload, mask: 0xC0FFEE01));
        using var server = WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true });
        var received = new byte[size + 1];

        var read = 0;
        WebSocketReceiveResult result;
        do
        {
            result = await server.ReceiveAsync(new ArraySegment<byte>(received, read, received.Length - read), CancellationToken.None);
            read += result.Count;
        }
        while (!result.EndOfMessage);

        Assert.Equal(WebSocketMessageType.Text, result.MessageType);
        Assert.Equal(payload, received[..read]);
    }
}
