using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.LoadTest.Experiments.RequestReply.Load;
using PubSubOverWs.LoadTest.Harness.Clients;

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

    [Theory]
    [InlineData(26, 0, "000000000")]
    [InlineData(32, 7, "000000007")]
    [InlineData(256, 999_999_999, "999999999")]
    public void It_is_a_payload_whose_id_is_the_number(int size, int number, string id)
    {
        var body = NumberedBody.Create(size);
        NumberedBody.Renumber(body, number);

        Assert.Equal(size, body.Length);
        Assert.True(Payload.TryRead(body, out var read));
        Assert.Equal(id, Encoding.ASCII.GetString(read));
        Assert.True(NumberedBody.TryRead(body, out var found));
        Assert.Equal(number, found);
    }

    [Fact]
    public void Any_changed_bit_and_any_cut_is_seen()
    {
        var body = NumberedBody.Create(32);
        NumberedBody.Renumber(body, 4711);
        for (var bit = 0; bit < body.Length * 8; bit++)
        {
            body[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.False(NumberedBody.TryRead(body, out _), $"bit {bit}");
            body[bit / 8] ^= (byte)(1 << (bit % 8));
        }

        for (var length = 0; length < body.Length; length++)
            Assert.False(NumberedBody.TryRead(body.AsSpan(0, length), out _));
    }

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
