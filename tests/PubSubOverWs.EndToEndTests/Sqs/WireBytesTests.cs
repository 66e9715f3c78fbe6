using System.Net;
using System.Net.Sockets;
using System.Text;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.EndToEndTests.Sqs;

/// <summary>The bytes that the client counts are compared with those on a socket.</summary>
public sealed class WireBytesTests : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);

    public WireBytesTests() => _listener.Start();

    private string Endpoint => $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";

    [Theory]
    [InlineData(SqsClientKind.Http)]
    [InlineData(SqsClientKind.AwsSdk)]
    public async Task The_bytes_counted_are_the_bytes_on_the_wire(SqsClientKind client)
    {
        var sqs = Connect(client, Endpoint);
        using var connections = (IDisposable)sqs;

        var call =
            sqs.SendAsync("http://x/1/q", [new SendEntry("body with \"quotes\" and é"u8.ToArray())], CancellationToken.None)
                .AsTask();
        using var connection = await _listener.AcceptTcpClientAsync();
        var request = await ReadAsync(connection.GetStream());
        var answer = Encoding.ASCII.GetBytes(
            "HTTP/1.1 200 OK\r\nContent-Length: 47\r\nContent-Type: application/x-amz-json-1.0\r\nX-Two: a\r\nX-Two: bc\r\n\r\n"
            + """{"Successful":[{"Id":"0","MessageId":"sqs-1"}]}""");
        await connection.GetStream().WriteAsync(answer);

        Assert.Equal("sqs-1", (await call)[0].MessageId);
        Assert.Equal(request, sqs.Traffic.BytesOut(QueueCall.Send));
        Assert.Equal(answer.Length, sqs.Traffic.BytesIn);
    }

    [Theory]
    [InlineData(SqsClientKind.Http)]
    [InlineData(SqsClientKind.AwsSdk)]
    public async Task An_answer_that_does_not_say_how_long_it_is_is_counted_with_its_body_and_without_its_framing(SqsClientKind client)
    {
        var sqs = Connect(client, Endpoint);
        using var connections = (IDisposable)sqs;

        var call = sqs.GetQueueUrlAsync("q", CancellationToken.None).AsTask();
        using var connection = await _listener.AcceptTcpClientAsync();
        await ReadAsync(connection.GetStream());
        const string Head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: application/x-amz-json-1.0\r\n\r\n";
        await connection.GetStream().WriteAsync(Encoding.ASCII.GetBytes(Head + "5\r\n{\"Que\r\n9\r\nueUrl\":\"u\r\n2\r\n\"}\r\n0\r\n\r\n"));

        Assert.Equal("u", await call);
        Assert.Equal(Head.Length + """{"QueueUrl":"u"}""".Length, sqs.Traffic.BytesIn);
    }

    [Fact]
    public async Task The_bytes_of_a_publish_are_counted_too()
    {
        using var sns = new SnsOverHttp(
            new SqsOptions { Endpoint = Endpoint, AccessKey = "test", SecretKey = "test" }, TimeProvider.System);

        var call = sns.PublishBatchAsync("arn:aws:sns:us-east-1:1:t", ["body with \"quotes\" and é"u8.ToArray()], CancellationToken.None)
            .AsTask();
        using var connection = await _listener.AcceptTcpClientAsync();
        var request = await ReadAsync(connection.GetStream());
        const string Xml =
            "<PublishBatchResponse><Successful><member><Id>0</Id><MessageId>m</MessageId></member></Successful></PublishBatchResponse>";
        var answer = Encoding.ASCII.GetBytes($"HTTP/1.1 200 OK\r\nContent-Length: {Xml.Length}\r\nContent-Type: text/xml\r\n\r\n{Xml}");
        await connection.GetStream().WriteAsync(answer);

        Assert.Equal("m", (await call)[0].MessageId);
        Assert.Equal(request, sns.Traffic.BytesOut(QueueCall.Send));
        Assert.Equal(answer.Length, sns.Traffic.BytesIn);
    }

    public void Dispose() => _listener.Dispose();

    private static ISqs Connect(SqsClientKind client, string endpoint) => SqsClient.Create(
        new SqsOptions { Client = client, Endpoint = endpoint, AccessKey = "test", SecretKey = "test", SessionToken = "token" },
        TimeProvider.System);

    /// <summary>The bytes of one whole request.</summary>
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
