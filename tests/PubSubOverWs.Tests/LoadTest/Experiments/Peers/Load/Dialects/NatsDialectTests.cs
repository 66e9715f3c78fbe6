using System.Text;
using PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Peers.Load.Dialects;

/// <summary>The examples are those of the page "Client Protocol" of the documentation of NATS.</summary>
public sealed class NatsDialectTests
{
    private readonly NatsDialect _nats = new();

    [Fact]
    public void A_message_is_published_as_documented() =>
        Assert.Equal("PUB FOO 11\r\nHello NATS!\r\n", Payload(_nats.Train(0, "FOO", "Hello NATS!"u8, count: 1).Next(1)));

    [Fact]
    public void A_subscription_has_a_number_and_asks_for_an_answer() =>
        Assert.Equal("SUB FOO 1\r\nPING\r\n", Payload(_nats.Subscribe("FOO")));

    [Fact]
    public async Task A_user_logs_in_as_it_connects()
    {
        var server = new Uri("http://127.0.0.1:1");
        var target = await ClientTarget.ResolveAsync(
            server, new ServerAccess("peers", new Secret("swordfish"), null), CancellationToken.None);

        Assert.Contains(@",""user"":""peers"",""pass"":""swordfish""}", Payload(_nats.Connect(target)));
        Assert.DoesNotContain("user", Payload(_nats.Connect(await ClientTarget.ResolveAsync(server, CancellationToken.None))));
    }

    [Fact]
    public void Its_frames_are_binary_as_the_server_asks() => Assert.All(
        [_nats.Subscribe("FOO"), _nats.Pong, _nats.Train(0, "FOO", "x"u8, count: 1).Next(1).ToArray()],
        frame => Assert.Equal(0x82, frame[0]));

    [Theory]
    [InlineData("MSG FOO.BAR 9 11\r\nHello World\r\n")]
    [InlineData("MSG FOO.BAR 9 GREETING.34 11\r\nHello World\r\n")]
    public void A_message_is_read_with_its_body_and_what_follows_stays(string message)
    {
        var heard = _nats.Read(Bytes(message + "MSG FOO"), out var consumed, out var body);

        Assert.Equal((Heard.Message, message.Length, "Hello World"), (heard, consumed, Encoding.ASCII.GetString(body)));
    }

    [Fact]
    public void What_is_not_whole_is_left_until_it_is()
    {
        var message = Bytes("MSG FOO.BAR 9 11\r\nHello World\r\n");

        for (var length = 0; length < message.Length; length++)
            Assert.Equal((Heard.Nothing, 0), (_nats.Read(message.AsSpan(0, length), out var consumed, out _), consumed));
    }

    [Theory]
    [InlineData("INFO {\"server_id\":\"Zk0GQ3JBSrg3oyxCRRlE09\"}\r\n", nameof(Heard.Other))]
    [InlineData("+OK\r\n", nameof(Heard.Other))]
    [InlineData("PING\r\n", nameof(Heard.Ping))]
    [InlineData("PONG\r\n", nameof(Heard.Answer))]
    public void Other_lines_are_told_apart(string line, string heard) =>
        Assert.Equal((heard, line.Length), ($"{_nats.Read(Bytes(line), out var consumed, out _)}", consumed));

    [Theory]
    [InlineData("-ERR 'Unknown Protocol Operation'\r\n", "-ERR 'Unknown Protocol Operation'")]
    [InlineData("MSG FOO.BAR 9 many\r\n", "without a length")]
    public void An_error_is_said_as_the_server_said_it(string line, string said) => Assert.Contains(
        said, Assert.Throws<InvalidDataException>(() => _nats.Read(Bytes(line), out _, out _)).Message, StringComparison.Ordinal);

    private static byte[] Bytes(string text) => Encoding.ASCII.GetBytes(text);

    // Masked with zero, so that the payload stands in the frame as it is.
    private static string Payload(ReadOnlySpan<byte> frame)
    {
        FrameHeader.TryRead(frame, out var header);
        return Encoding.ASCII.GetString(frame[header.Bytes..]);
    }
}
