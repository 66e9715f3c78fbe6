using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

namespace PubSubOverWs.Tests.LoadTest.Experiments.RequestReply.Load;

public sealed class SendTemplateTests
{
    // Below 126 bytes, up to 65,535 and above: the three forms of a length (RFC 6455, 5.2).
    [Theory]
    [InlineData(32)]
    [InlineData(256)]
    [InlineData(65_536)]
    public async Task A_server_reads_the_destination_and_the_number_that_were_filled_in_last(int bodyBytes)
    {
        var template = new SendTemplate("/topic/a-0", replyTo: null, bodyBytes);
        template.Fill("/topic/a-1"u8, 1);
        var expected = NumberedBody.Create(bodyBytes);
        NumberedBody.Renumber(expected, 23);

        Assert.Equal(
            $"SEND\ndestination:/topic/a-2\ncontent-length:{bodyBytes}\n\n{Encoding.ASCII.GetString(expected)}\0",
            await ServerReadsAsync(template.Fill("/topic/a-2"u8, 23).ToArray()));
    }

    [Fact]
    public async Task A_request_names_where_its_reply_is_expected() => Assert.StartsWith(
        "SEND\ndestination:/topic/a-2\nreply-to:/topic/me\n",
        await ServerReadsAsync(new SendTemplate("/topic/a-0", "/topic/me", 32).Fill("/topic/a-2"u8, 0).ToArray()),
        StringComparison.Ordinal);

    [Fact]
    public void A_destination_of_another_length_does_not_fit() => Assert.Throws<ArgumentException>(
        () => new SendTemplate("/topic/a-0", replyTo: null, 32).Fill("/topic/a-10"u8, 0));

    private static async Task<string> ServerReadsAsync(byte[] bytes)
    {
        using var stream = new MemoryStream(bytes);
        using var server = WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true });
        var buffer = new byte[100_000];
        var length = 0;
        ValueWebSocketReceiveResult received;
        do
        {
            received = await server.ReceiveAsync(buffer.AsMemory(length), CancellationToken.None);
            length += received.Count;
        }
        while (!received.EndOfMessage);
        return Encoding.ASCII.GetString(buffer, 0, length);
    }
}
