using System.Net;
using System.Net.Sockets;
using System.Text;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.EndToEndTests.Sqs;

/// <summary>What the client counts, held against what a socket sees.</summary>
public sealed class WireBytesTests
{
    [Fact]
    public async Task The_bytes_counted_are_the_bytes_on_the_wire()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var endpoint = $"http://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}";
        using var sqs = new SqsOverHttp(
            new SqsOptions { Endpoint = endpoint, AccessKey = "test", SecretKey = "test", SessionToken = "token" }, TimeProvider.System);

        var call = sqs.SendMessageBatchAsync("http://x/1/q", [new SendEntry("body with \"quotes\" and é"u8.ToArray())], CancellationToken.None).AsTask();
        using var connection = await listener.AcceptTcpClientAsync();
        var request = await ReadAsync(connection.GetStream());
        var answer = Encoding.ASCII.GetBytes(
            "HTTP/1.1 200 OK\r\nContent-Length: 47\r\nContent-Type: application/x-amz-json-1.0\r\nX-Two: a\r\nX-Two: bc\r\n\r\n"
            + """{"Successful":[{"Id":"0","MessageId":"sqs-1"}]}""");
        await connection.GetStream().WriteAsync(answer);

        Assert.Equal("sqs-1", (await call)[0].MessageId);
        Assert.Equal(request, sqs.Traffic.BytesOut(SqsCall.Send));
        Assert.Equal(answer.Length, sqs.Traffic.BytesIn);
    }

    [Fact]
    public async Task The_bytes_of_a_publish_are_counted_too()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var endpoint = $"http://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}";
        using var sns = new SnsOverHttp(new SqsOptions { Endpoint = endpoint, AccessKey = "test", SecretKey = "test" }, TimeProvider.System);

        var call = sns.PublishBatchAsync("arn:aws:sns:us-east-1:1:t", ["body with \"quotes\" and é"u8.ToArray()], CancellationToken.None).AsTask();
        using var connection = await listener.AcceptTcpClientAsync();
        var request = await ReadAsync(connection.GetStream());
        const string Xml = "<PublishBatchResponse><Successful><member><Id>0</Id><MessageId>m</MessageId></member></Successful></PublishBatchResponse>";
        var answer = Encoding.ASCII.GetBytes($"HTTP/1.1 200 OK\r\nContent-Length: {Xml.Length}\r\nContent-Type: text/xml\r\n\r\n{Xml}");
        await connection.GetStream().WriteAsync(answer);

        Assert.Equal("m", (await call)[0].MessageId);
        Assert.Equal(request, sns.Traffic.BytesOut(SqsCall.Send));
        Assert.Equal(answer.Length, sns.Traffic.BytesIn);
    }

    /// <summary>The octets of one whole request.</summary>
    private static async Task<int> ReadAsync(NetworkStream stream)
    {
        var bytes = new byte[64 * 1024];
        var length = 0;
        while (true)
        {
            length += await stream.ReadAsync(bytes.AsMemory(length));
            var text = Encoding.Latin1.GetString(bytes, 0, length);
            var headEnd = text.IndexOf("\r\n\r\n", StringComparison.Ordinal);
            if (headEnd >= 0 && length == headEnd + 4 + ContentLength(text))
                return length;
        }
    }

    private static int ContentLength(string head) => int.Parse(
        head.Split("\r\n").Single(line => line.StartsWith("Content-Length:", StringComparison.Ordinal)).Split(':')[1],
        System.Globalization.CultureInfo.InvariantCulture);
}
