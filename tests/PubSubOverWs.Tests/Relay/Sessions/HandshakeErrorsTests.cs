using System.Text;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Fuzz.Framing;

namespace PubSubOverWs.Tests.Relay.Sessions;

/// <summary>Each way in which a handshake can be wrong has an answer of its own, the same from both front ends.</summary>
public sealed class HandshakeErrorsTests
{
    private const string Good =
        "GET /raw HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    [Theory]
    [InlineData("HTTP/1.1", "HTTP/1.0", "HTTP/1.1 only, not over HTTP/1.0")]
    [InlineData("GET", "PUT", "is a GET, not a PUT")]
    [InlineData("Upgrade: websocket\r\n", "", "WebSocket handshakes only")]
    [InlineData("Upgrade: websocket", "Upgrade: h2c", "is websocket, not 'h2c'")]
    [InlineData("Connection: Upgrade", "Connection: keep-alive", "The header Connection must name Upgrade")]
    [InlineData("Version: 13", "Version: 8", "version 13 of the WebSocket protocol, not '8'")]
    [InlineData("Sec-WebSocket-Version: 13\r\n", "", "version 13 of the WebSocket protocol, not ''")]
    [InlineData("dGhlIHNhbXBsZSBub25jZQ==", "dGhl", "16 bytes in base64, not 'dGhl'")]
    public async Task The_answer_says_what_is_wrong(string right, string wrong, string why)
    {
        List<string> answers = [];
        foreach (var frontEnd in Enum.GetValues<FrontEnd>())
        {
            await using var server = await MemoryServer.StartAsync(frontEnd);
            var client = server.Connect();
            await client.SendAsync(Encoding.ASCII.GetBytes(Good.Replace(right, wrong, StringComparison.Ordinal)));
            List<byte> received = [];
            while (!Encoding.ASCII.GetString([.. received]).Contains(".\n", StringComparison.Ordinal)
                && await client.ReceiveAsync(received).Patiently())
            {
                // Until the sentence is over, or the server ends.
            }
            client.Complete();
            await client.Ended.Patiently();
            answers.Add(Encoding.ASCII.GetString([.. received]));
        }

        Assert.All(answers, answer =>
        {
            Assert.StartsWith("HTTP/1.1 400 ", answer, StringComparison.Ordinal);
            Assert.Contains(why, answer, StringComparison.Ordinal);
            // RFC 6455, 4.2.2 and 4.4.
            Assert.Equal(why.Contains("version 13", StringComparison.Ordinal), answer.Contains("\r\nSec-WebSocket-Version: 13\r\n"));
        });
    }
}
