using System.Text;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Sessions;

/// <summary>Which handshakes the lean front end answers; all others it leaves to HTTP, whatever is wrong with them.</summary>
public sealed class UpgradeRequestTests
{
    // The example of RFC 6455, 1.3.
    private const string Good = "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:5000\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    [Fact]
    public void A_handshake_is_answered_as_the_RFC_says()
    {
        var request = Read(Good)!;

        Assert.Equal((false, Good.Length, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), (request.IsRaw, request.Length, request.Accept));
        Assert.Equal(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: v12.stomp\r\n\r\n",
            Encoding.ASCII.GetString(request.Answer("v12.stomp")));
        Assert.DoesNotContain("Protocol:", Encoding.ASCII.GetString(request.Answer(null)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("GET /ws ", "GET /raw ")]
    [InlineData("GET /ws ", "GET /ws?access_token=a%20b ")]
    [InlineData("Upgrade: websocket", "upgrade:WebSocket")]
    [InlineData("Connection: Upgrade", "connection: \t keep-alive, upgrade \t")]
    [InlineData("Host: 127.0.0.1:5000", "Host: [::1]:5000")]
    [InlineData("Upgrade: websocket", "Upgrade: websocket\r\nCookie: a=1\r\nCookie: b=2")]
    [InlineData("Upgrade: websocket", "Upgrade: websocket\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits")]
    public void A_handshake_that_a_client_may_write_otherwise_is_answered_too(string what, string otherwise) =>
        Assert.NotNull(Read(Good.Replace(what, otherwise, StringComparison.Ordinal)));

    [Theory]
    [InlineData("GET /ws ", "POST /ws ")]
    [InlineData("GET /ws ", "get /ws ")]
    [InlineData("GET /ws ", "GET /wss ")]
    [InlineData("GET /ws ", "GET /ws/ ")]
    [InlineData("GET /ws ", "GET /WS ")]
    [InlineData("GET /ws ", "GET /%77s ")]
    [InlineData("GET /ws ", "GET http://127.0.0.1/ws ")]
    [InlineData("GET /ws ", "GET  /ws ")]
    [InlineData("GET /ws ", "GET /ws? a ")]
    [InlineData("GET /ws ", "GET /ws?a#b ")]
    [InlineData("GET /ws ", "GET /ws?\u00e9 ")]
    [InlineData("GET /ws HTTP/1.1", "GET /ws HTTP/1.0")]
    [InlineData("GET /ws HTTP/1.1", "GET /ws HTTP/1.1 ")]
    [InlineData("GET /ws HTTP/1.1", "\r\nGET /ws HTTP/1.1")]
    [InlineData("GET /ws HTTP/1.1", "PRI * HTTP/2.0\r\n\r\nSM")]
    [InlineData("Host: 127.0.0.1:5000", "Host:")]
    [InlineData("Host: 127.0.0.1:5000\r\n", "")]
    [InlineData("Host: 127.0.0.1:5000", "Host: a b")]
    [InlineData("Host: 127.0.0.1:5000", "Host: a/b")]
    [InlineData("Host: 127.0.0.1:5000", "Host: a@b")]
    [InlineData("Host: 127.0.0.1:5000", "Host: :5000")]
    [InlineData("Host: 127.0.0.1:5000", "Host: a:")]
    [InlineData("Host: 127.0.0.1:5000", "Host: a:b")]
    [InlineData("Host: 127.0.0.1:5000", "Host: a:1:2")]
    [InlineData("Host: 127.0.0.1:5000", "Host: ::1")]
    [InlineData("Host: 127.0.0.1:5000", "Host: [::1")]
    [InlineData("Host: 127.0.0.1:5000", "Host: [::1]a")]
    [InlineData("Host: 127.0.0.1:5000", "Host: [a.example]")]
    [InlineData("Upgrade: websocket\r\n", "")]
    [InlineData("Upgrade: websocket", "Upgrade: h2c, websocket")]
    [InlineData("Connection: Upgrade", "Connection: keep-alive")]
    [InlineData("Connection: Upgrade", "Connection: \"Upgrade\"")]
    [InlineData("Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 8")]
    [InlineData("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ")]
    [InlineData("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZ===")]
    [InlineData("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZTEyMw==")]
    public void A_handshake_that_is_not_exactly_ours_or_lacks_something_is_left_to_HTTP_which_says_what(string what, string otherwise) =>
        Assert.Null(Read(Good.Replace(what, otherwise, StringComparison.Ordinal)));

    [Theory]
    [InlineData("Content-Length: 0")]
    [InlineData("Content-Length: 10")]
    [InlineData("content-length: 0")]
    [InlineData("Transfer-Encoding: chunked")]
    [InlineData("Expect: 100-continue")]
    [InlineData("Trailer: X")]
    [InlineData("TE: trailers")]
    [InlineData("HTTP2-Settings: AAMAAABkAAQAAP__")]
    [InlineData("Host: other.example")]
    [InlineData("HOST: 127.0.0.1:5000")]
    [InlineData("Upgrade: h2c")]
    [InlineData("Connection: close")]
    [InlineData("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")]
    [InlineData("Sec-WebSocket-Version: 8")]
    [InlineData("Origin: http://a.example\r\nOrigin: http://b.example")]
    [InlineData("Authorization: Bearer a\r\nAuthorization: Bearer b")]
    [InlineData("X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2")]
    [InlineData("Sec-WebSocket-Protocol: v12.stomp\r\nSec-WebSocket-Protocol: v11.stomp")]
    [InlineData(" folded: value")]
    [InlineData("X\r\n folded")]
    [InlineData("X : value")]
    [InlineData(": value")]
    [InlineData("no colon")]
    [InlineData("X: a\nContent-Length: 10")]
    [InlineData("X: a\rContent-Length: 10")]
    [InlineData("X: a\0b")]
    [InlineData("X: a\u0001b")]
    [InlineData("X: \u00e9")]
    [InlineData("X\u00e9: a")]
    [InlineData("Content-Length\u000b: 10")]
    public void A_body_a_header_twice_or_one_that_another_reader_might_read_otherwise_is_left_to_HTTP(string header) =>
        Assert.Null(Read(Good.Replace("Upgrade: websocket\r\n", $"Upgrade: websocket\r\n{header}\r\n", StringComparison.Ordinal)));

    [Fact]
    public void A_handshake_that_has_not_come_as_a_whole_is_left_to_HTTP() =>
        Assert.All(Enumerable.Range(0, Good.Length), length => Assert.Null(Read(Good[..length])));

    [Theory]
    [InlineData(100, true)]
    [InlineData(101, false)]
    public void More_headers_than_the_web_server_takes_are_left_to_it(int count, bool isAnswered)
    {
        var others = string.Concat(Enumerable.Repeat("X: y\r\n", count - 5));

        Assert.Equal(isAnswered, Read(Good.Replace("Upgrade: w", others + "Upgrade: w", StringComparison.Ordinal)) is not null);
    }

    [Fact]
    public void Bytes_behind_a_handshake_are_no_part_of_it() =>
        Assert.Equal(Good.Length, Read(Good + "GET /stats HTTP/1.1\r\n\r\n")!.Length);

    private static UpgradeRequest? Read(string text) => UpgradeRequest.Read(Encoding.Latin1.GetBytes(text));
}
