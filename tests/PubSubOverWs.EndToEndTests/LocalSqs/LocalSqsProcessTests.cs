using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.LocalSqs;

/// <summary>The server as a process, over a socket.</summary>
public sealed class LocalSqsProcessTests
{
    [Fact]
    public async Task Messages_pass_through_the_server_and_are_gone_when_it_ends_which_it_says()
    {
        await using var server = await TestServers.QueueAsync();
        using var sqs = Client(server.Address);
        var url = await sqs.CreateQueueAsync("jobs", new QueueSettings(), CancellationToken.None);
        await sqs.SendAsync(url, [new SendEntry("a"u8.ToArray())], CancellationToken.None);
        Assert.Single(await sqs.ReceiveAsync(url, new ReceiveRequest(), CancellationToken.None));

        await server.KillAsync();
        await server.RestartAsync(CancellationToken.None);

        Assert.Contains(server.LastLines, line => line.Contains("in memory", StringComparison.Ordinal));
        var gone = await Assert.ThrowsAsync<QueueException>(() => sqs.GetQueueUrlAsync("jobs", CancellationToken.None).AsTask());
        Assert.Equal(SqsErrorCode.QueueDoesNotExist, gone.Code);
    }

    [Fact]
    public async Task A_poll_that_was_cut_before_a_send_takes_no_message_even_if_the_server_has_not_yet_noticed()
    {
        var server = await TestServers.SharedQueueAsync();
        using var sqs = Client(server.Address);
        var url = await sqs.CreateQueueAsync("cut", new QueueSettings(), CancellationToken.None);
        for (var round = 0; round < 100; round++)
        {
            using (var poll = new TcpClient())
            {
                await poll.ConnectAsync(IPAddress.Loopback, server.Address.Port);
                await poll.GetStream().WriteAsync(Receive(server.Address, url));
                await sqs.GetQueueAttributesAsync(url, CancellationToken.None);
            }
            await sqs.SendAsync(url, [new SendEntry(Encoding.UTF8.GetBytes($"{round}"))], CancellationToken.None);

            var patiently = new ReceiveRequest { WaitTime = TimeSpan.FromSeconds(20) };
            var received = Assert.Single(await sqs.ReceiveAsync(url, patiently, CancellationToken.None));
            Assert.Equal(($"{round}", 1), (Encoding.UTF8.GetString(received.Body.Span), received.ApproximateReceiveCount));
            await sqs.SettleAsync(url, [received.ReceiptHandle], CancellationToken.None);
        }
    }

    [Fact]
    public async Task Messages_for_a_client_that_does_not_read_are_visible_again_when_it_disconnects()
    {
        var server = await TestServers.SharedQueueAsync();
        using var sqs = Client(server.Address);
        // Far longer than this test may take: what is hidden stays so.
        var settings = new QueueSettings { VisibilityTimeout = TimeSpan.FromHours(1) };
        var url = await sqs.CreateQueueAsync("stalled", settings, CancellationToken.None);
        // More than the buffers of the operating system take.
        const int messages = 10;
        var body = new SendEntry(Encoding.ASCII.GetBytes(new string('x', 1 << 20)));
        for (var sent = 0; sent < messages; sent++)
            Assert.True((await sqs.SendAsync(url, [body], CancellationToken.None))[0].Succeeded);
        using (var stalled = new TcpClient { ReceiveBufferSize = 1024, LingerState = new LingerOption(enable: true, seconds: 0) })
        {
            await stalled.ConnectAsync(IPAddress.Loopback, server.Address.Port);
            await stalled.GetStream().WriteAsync(Receive(server.Address, url, max: messages));
            // Its beginning is here, and the server cannot write the rest.
            await Waiting.UntilAsync(() => stalled.Available > 0);
            Assert.Equal(messages, (await sqs.GetQueueAttributesAsync(url, CancellationToken.None)).InFlight);
        }

        await Waiting.UntilAsync(async () => (await sqs.GetQueueAttributesAsync(url, CancellationToken.None)).Visible == messages);
    }

    [Theory]
    [InlineData(2147483647, false, "HTTP/1.1 403")]
    [InlineData(2147483647, true, "HTTP/1.1 413")]
    [InlineData(1000000000, true, "HTTP/1.1 413")]
    [InlineData(8388608, false, "HTTP/1.1 403")]
    public async Task A_request_that_is_only_announced_is_refused_at_once_and_costs_no_memory(int announced, bool isSigned, string status)
    {
        var server = await TestServers.SharedQueueAsync();
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, server.Address.Port);
        var request = Encoding.ASCII.GetString(Receive(server.Address, "http://nowhere/jobs"));
        var head = request[..(request.IndexOf("\r\n\r\n", StringComparison.Ordinal) + 4)];
        request = Regex.Replace(head, "Content-Length: [0-9]+", $"Content-Length: {announced}");
        if (!isSigned)
            request = Regex.Replace(request, "Authorization: [^\r]*\r\n", "");

        await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes(request));

        using var reader = new StreamReader(client.GetStream());
        Assert.StartsWith(status, await reader.ReadLineAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_server_ends_when_it_is_told_to_though_a_poll_waits()
    {
        await using var server = await TestServers.QueueAsync();
        using var sqs = Client(server.Address);
        var url = await sqs.CreateQueueAsync("jobs", new QueueSettings(), CancellationToken.None);
        var poll = sqs.ReceiveAsync(url, new ReceiveRequest { WaitTime = TimeSpan.FromSeconds(20) }, CancellationToken.None)
            .AsTask();
        await sqs.GetQueueAttributesAsync(url, CancellationToken.None);

        var exit = await server.StopAsync();

        Assert.False(exit.Killed);
        // Usually answered with nothing; on a slow machine it may have come too late to be answered at all.
        Assert.True(await Xunit.Record.ExceptionAsync(() => poll) is null or QueueException);
    }

    [Fact]
    public async Task A_queue_that_is_away_and_comes_back_is_reached_by_a_retry()
    {
        await using var server = await TestServers.QueueAsync();
        using var sqs = Client(server.Address, attempts: 50);
        await server.KillAsync();

        var call = sqs.CreateQueueAsync("jobs", new QueueSettings(), CancellationToken.None).AsTask();
        await server.RestartAsync(CancellationToken.None);

        Assert.EndsWith("/jobs", await call, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("1", "LocalSqs:MaxBytes must be 0 (no bound), or 8388608 (8 MiB) to 1099511627776 (1 TiB).")]
    [InlineData("much", "LocalSqs:MaxBytes is 'much', and must be a whole number")]
    public async Task An_invalid_bound_keeps_the_server_from_starting(string value, string sentence)
    {
        var failure = await Assert.ThrowsAsync<ChildException>(() => TestServers.QueueAsync("--LocalSqs:MaxBytes", value));

        Assert.Equal(5, failure.ExitCode);
        Assert.Contains(sentence, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Only_this_machine_reaches_the_server_unless_a_setting_says_otherwise()
    {
        string[] settings = ["--Kestrel:Endpoints:A:Url", "http://127.0.0.1:0", "--Kestrel:Endpoints:B:Url", "http://0.0.0.0:0"];

        var failure = await Assert.ThrowsAsync<ChildException>(() => TestServers.QueueAsync(settings));

        Assert.Equal(5, failure.ExitCode);
        Assert.Contains(
            "LocalSqs listens on loopback only, not on 0.0.0.0:0: say --urls http://127.0.0.1:5010, or LocalSqs:AllowNetwork=true.",
            failure.Message, StringComparison.Ordinal);
        await using var open = await TestServers.QueueAsync(
            [.. settings, "--LocalSqs:AllowNetwork", "true", "--LocalSqs:SecretKey", "a-key-of-my-own-and-long"]);
        Assert.True(open.IsRunning);
        var withDefaultKey = await Assert.ThrowsAsync<ChildException>(() =>
            TestServers.QueueAsync([.. settings, "--LocalSqs:AllowNetwork", "true"]));
        Assert.Equal(5, withDefaultKey.ExitCode);
        Assert.Contains(
            "LocalSqs:AllowNetwork needs a key of your own: set LocalSqs:AccessKey, and LocalSqs:SecretKey to 16 characters or more.",
            withDefaultKey.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_that_sends_requests_without_a_pause_does_not_stop_the_others()
    {
        var command = SqsPrograms.LocalSqs.Command([]);
        // One thread is told of the bytes of all connections.
        var environment = new Dictionary<string, string>(command.Environment ?? new Dictionary<string, string>())
        { ["DOTNET_PROCESSOR_COUNT"] = "1" };
        await using var server = await TestServers.StartAsync(command with { Environment = environment });
        using var busy = new TcpClient();
        await busy.ConnectAsync(IPAddress.Loopback, server.Address.Port);
        var request = $"GET /health HTTP/1.1\r\nHost: {server.Address.Authority}\r\n\r\n";
        var requests = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat(request, 1000)));
        using var end = new CancellationTokenSource();
        var stream = busy.GetStream();
        // The thread that accepted the connection is done with it once the server waits for more.
        for (var i = 0; i < 20; i++)
        {
            await stream.WriteAsync(Encoding.ASCII.GetBytes(request));
            await stream.ReadAtLeastAsync(new byte[4096], 1);
        }
        var reading = ReadUntilAsync(stream, end.Token);
        var writing = WriteUntilAsync(stream, requests, end.Token);

        using var sqs = Client(server.Address);
        for (var i = 0; i < 20; i++)
            await sqs.CreateQueueAsync($"jobs-{i}", new QueueSettings(), CancellationToken.None);

        Assert.False(reading.IsCompleted || writing.IsCompleted, "The busy client was to be busy all the time.");
        await end.CancelAsync();
        await Task.WhenAll(reading, writing);
    }

    private static SqsOverHttp Client(Uri address, int attempts = 3) => new(
        new SqsOptions
        {
            Endpoint = address.ToString(),
            AccessKey = "test",
            SecretKey = "test",
            MaxAttempts = attempts,
            MaxRetryDelay = TimeSpan.FromMilliseconds(200)
        },
        TimeProvider.System);

    private static async Task ReadUntilAsync(NetworkStream stream, CancellationToken end)
    {
        var answers = new byte[64 * 1024];
        while (!end.IsCancellationRequested && await stream.ReadAsync(answers, CancellationToken.None) > 0)
        {
            // They say nothing new.
        }
    }

    private static async Task WriteUntilAsync(NetworkStream stream, byte[] requests, CancellationToken end)
    {
        while (!end.IsCancellationRequested)
            await stream.WriteAsync(requests, CancellationToken.None);
    }

    private static byte[] Receive(Uri address, string url, int max = 1)
    {
        var body = $$"""{"QueueUrl":"{{url}}","WaitTimeSeconds":20,"MaxNumberOfMessages":{{max}}}""";
        var headers = new Dictionary<string, string>
        {
            ["host"] = address.Authority,
            ["x-amz-date"] = TimeProvider.System.GetUtcNow().ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture),
            ["x-amz-target"] = "AmazonSQS.ReceiveMessage",
        };
        var authorization = SigV4.Authorize(address, headers, body, string.Join(';', headers.Keys), "test", "test", "us-east-1", "sqs");
        var head = string.Concat(headers.Select(header => $"{header.Key}: {header.Value}\r\n"));
        return Encoding.ASCII.GetBytes(
            $"POST / HTTP/1.1\r\n{head}Authorization: {authorization}\r\nContent-Length: {body.Length}\r\n\r\n{body}");
    }
}
