using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Sessions;

/// <summary>Each ends in an ERROR that says what was wrong, and in a close; no other client notices.</summary>
public sealed class BadInputTests
{
    private const string Connect = "CONNECT\naccept-version:1.2\nhost:test\n\n\0";

    /// <summary>Input of a client after CONNECT, and the text that the ERROR has to contain.</summary>
    public static TheoryData<string, string> Wrong => new()
    {
        { "NONSENSE\n\n\0", "NONSENSE" },
        { "SEND\ndestination:/queue/a\nno colon\n\n\0", "no colon" },
        { "SEND\ndestination:/queue/a\ncontent-length:many\n\n\0", "content-length" },
        { Connect, "second CONNECT" },
        { "STOMP\naccept-version:1.2\n\n\0", "second CONNECT" },
        { "SEND\n\nbody\0", "'destination'" },
        { "SEND\ndestination:\n\nbody\0", "'destination'" },
        { "SEND\ndestination:/elsewhere/a\n\nbody\0", "/elsewhere/a" },
        { "SEND\ndestination:/queue/\n\nbody\0", "/queue/" },
        { "SEND\ndestination:/raw/abc.1\n\nbody\0", "/raw/abc.1" },
        { "SUBSCRIBE\ndestination:/raw/abc.1\nid:1\n\n\0", "/raw/abc.1" },
        { "SUBSCRIBE\ndestination:/queue/a\n\n\0", "'id'" },
        { "SUBSCRIBE\nid:1\n\n\0", "'destination'" },
        { "SUBSCRIBE\ndestination:/queue/a\nid:1\nack:sometimes\n\n\0", "sometimes" },
        { "SUBSCRIBE\ndestination:/queue/a\nid:1\nprefetch-count:0\n\n\0", "prefetch-count" },
        { "SUBSCRIBE\ndestination:/queue/a\nid:1\nprefetch-count:-5\n\n\0", "prefetch-count" },
        { "SUBSCRIBE\ndestination:/queue/a\nid:one\n\n\0SUBSCRIBE\ndestination:/queue/b\nid:one\n\n\0", "'one'" },
        { "UNSUBSCRIBE\nid:none\n\n\0", "'none'" },
        { "UNSUBSCRIBE\n\n\0", "'id'" },
        { "ACK\nid:1-1\n\n\0", "'1-1'" },
        { "ACK\nid:nonsense\n\n\0", "'nonsense'" },
        { "ACK\n\n\0", "'id'" },
        { "NACK\nid:7-7\n\n\0", "'7-7'" },
        { "BEGIN\n\n\0", "'transaction'" },
        { "BEGIN\ntransaction:a\n\n\0BEGIN\ntransaction:a\n\n\0", "'a'" },
        { "COMMIT\ntransaction:none\n\n\0", "'none'" },
        { "ABORT\ntransaction:none\n\n\0", "'none'" },
        { "SEND\ndestination:/queue/a\ntransaction:none\n\nbody\0", "'none'" },
        { "MESSAGE\ndestination:/queue/a\n\nbody\0", "server's frame" },
        { "CONNECTED\nversion:1.2\n\n\0", "server's frame" },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public async Task A_wrong_frame_is_answered_by_an_error_that_names_it_and_those_after_it_are_not_processed(string frames, string named)
    {
        await using var server = RelayHarness.Direct();
        var other = await server.SubscriberAsync("/queue/other");
        var client = await server.ConnectAsync();

        await client.SendAsync(frames + "SEND\ndestination:/queue/other\n\ntoo late\0");

        var error = await client.ReceiveErrorAsync();
        Assert.Contains(named, error.Header("message"), StringComparison.Ordinal);
        Assert.Equal(error.Header("message"), error.Body);
        Assert.Empty(server.Log.Errors);
        await other.PublishAsync("/queue/other", "still here");
        await other.ReceiveMessageAsync("still here");
    }

    [Theory]
    [InlineData("SEND\ndestination:/queue/a\n\nbody\0")]
    [InlineData("DISCONNECT\nreceipt:1\n\n\0")]
    [InlineData("NONSENSE\n\n\0")]
    [InlineData("GET /ws HTTP/1.1\r\nHost: test\r\n\r\n")]
    public async Task The_first_frame_must_be_connect(string frame)
    {
        await using var server = RelayHarness.Direct();
        var client = server.Open();

        await client.SendAsync(frame);

        Assert.NotEmpty((await client.ReceiveErrorAsync()).Header("message")!);
    }

    [Fact]
    public async Task The_way_back_to_a_client_of_the_raw_relay_is_closed_to_others()
    {
        await using var server = RelayHarness.Direct();
        var (client, raw) = (await server.ConnectAsync(), server.OpenRaw());
        await raw.SendAsync("own"u8.ToArray(), WebSocketMessageType.Text, endOfMessage: true);
        Assert.Equal("own"u8.ToArray(), (await raw.ReceiveMessageAsync()).Bytes);
        var destination = Assert.Single(server.Subscriptions.Destinations);

        await client.SendAsync($"SEND\ndestination:{destination}\n\nbody\0");

        Assert.Contains($"'{destination}'", (await client.ReceiveErrorAsync()).Header("message"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_body_beyond_the_limit_is_refused_as_soon_as_that_shows(bool saysItsLength)
    {
        await using var server = RelayHarness.Direct(options => options.MaxMessageBytes = 5000);
        var client = await server.ConnectAsync();
        var length = saysItsLength ? "content-length:5001\n" : "";

        await client.SendAsync($"SEND\ndestination:/queue/a\nreceipt:mine\n{length}\n{new string('x', 5001)}");

        var error = await client.ReceiveErrorAsync();
        Assert.Contains("5000", error.Header("message"), StringComparison.Ordinal);
        Assert.Equal("mine", error.Header("receipt-id"));
    }

    [Fact]
    public async Task A_body_at_the_limit_is_relayed()
    {
        await using var server = RelayHarness.Direct(options => options.MaxMessageBytes = 5000);
        var client = await server.SubscriberAsync("/queue/a");

        await client.PublishAsync("/queue/a", new string('x', 5000));

        await client.ReceiveMessageAsync(new string('x', 5000));
    }

    [Fact]
    public async Task Headers_beyond_the_limits_are_refused()
    {
        await using var server = RelayHarness.Direct(options => (options.MaxHeaders, options.MaxHeaderBytes) = (4, 256));
        var (many, large) = (await server.ConnectAsync(), await server.ConnectAsync());

        await many.PublishAsync("/queue/a", "", "a:1", "b:2", "c:3", "d:4");
        await large.PublishAsync("/queue/a", "", $"a:{new string('x', 256)}");

        Assert.Contains("4 headers", (await many.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
        Assert.Contains("256 bytes", (await large.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("1.1", "ACK\nmessage-id:other.9-1-1\nsubscription:1\n\n\0")]
    [InlineData("1.1", "ACK\nid:1-1\n\n\0")]
    [InlineData("1.0", "NACK\nmessage-id:1-1\n\n\0")]
    [InlineData("1.1", "SEND\ndestination:/queue/a\nx:carriage\\rreturn\n\n\0")]
    public async Task Older_versions_have_their_own_mistakes(string version, string frame)
    {
        await using var server = RelayHarness.Direct();
        var client = await server.ConnectAsync(version);
        await client.SubscribeAsync("/queue/a", "1", "ack:client");
        await client.PublishAsync("/queue/a", "one");
        await client.ReceiveMessageAsync("one");

        await client.SendAsync(frame);

        await client.ReceiveErrorAsync();
    }

    [Fact]
    public async Task A_reason_that_is_too_long_for_a_close_frame_is_cut_between_characters()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.ConnectAsync();

        await client.SendAsync($"COMMIT\ntransaction:{string.Concat(Enumerable.Repeat("\U0001F600", 60))}\n\n\0");
        await client.ReceiveAsync(StompCommand.Error);
        var (_, reason) = await client.ReceiveCloseAsync();

        Assert.InRange(Encoding.UTF8.GetByteCount(reason!), 119, 123);
        Assert.EndsWith("\U0001F600", reason, StringComparison.Ordinal);
    }
}
