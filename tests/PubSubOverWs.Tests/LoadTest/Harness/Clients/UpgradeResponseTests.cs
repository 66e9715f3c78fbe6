using System.Text;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Harness.Clients;

public sealed class UpgradeResponseTests
{
    // The example of RFC 6455, section 1.3.
    private const string Key = "dGhlIHNhbXBsZSBub25jZQ==";
    private const string Accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

    private const string Good =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: " + Accept +
        "\r\nsec-websocket-protocol: v12.stomp\r\n\r\n";

    [Fact]
    public void The_answer_to_a_key_is_that_of_the_RFC() => Assert.Equal(Accept, UpgradeKey.Accept(Key));

    [Fact]
    public void A_key_is_sixteen_bytes_and_never_the_same()
    {
        var key = UpgradeKey.Create();

        Assert.Equal(16, Convert.FromBase64String(key).Length);
        Assert.NotEqual(key, UpgradeKey.Create());
    }

    [Fact]
    public void A_good_answer_is_accepted_and_the_bytes_after_it_are_left()
    {
        var received = Encoding.ASCII.GetBytes(Good + "frames");

        Assert.True(UpgradeResponse.TryRead(received, Accept, out var length, out var rejection));
        Assert.Null(rejection);
        Assert.Equal(Good.Length, length);
    }

    [Fact]
    public void An_answer_that_has_not_come_whole_asks_for_more()
    {
        for (var cut = 0; cut < Good.Length; cut++)
            Assert.False(UpgradeResponse.TryRead(Encoding.ASCII.GetBytes(Good[..cut]), Accept, out _, out _));
    }

    [Theory]
    [InlineData("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", "503")]
    [InlineData("HTTP/1.1 400\r\n\r\n", "400")]
    [InlineData("SSH-2.0-OpenSSH_9.6\r\n\r\n", "not HTTP/1.1")]
    [InlineData("HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: AAAA\r\n\r\n", "101 with a wrong Sec-WebSocket-Accept")]
    [InlineData(
        "HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: " + Accept + "\r\n\r\n", "101 without the sub-protocol v12.stomp")]
    [InlineData(
        "HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: " + Accept + "\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n",
        "101 without the sub-protocol v12.stomp")]
    public void Anything_else_is_rejected_by_name(string answer, string expected)
    {
        Assert.True(UpgradeResponse.TryRead(Encoding.ASCII.GetBytes(answer), Accept, out _, out var rejection));
        Assert.Equal(expected, rejection);
    }
}
