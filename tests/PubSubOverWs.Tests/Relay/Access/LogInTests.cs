using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Access;

public sealed class LogInTests : IDisposable
{
    private const string Wrong = "The login or the passcode is wrong: check both.";

    private readonly AccessFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_client_with_the_passcode_is_connected_and_frames_that_came_after_CONNECT_are_processed_then()
    {
        await using var server = Serve();
        var client = server.Open();

        await client.SendAsync(
            $"CONNECT\naccept-version:1.2\nlogin:alice\npasscode:{AccessFolder.Passcode}\n\n\0BEGIN\ntransaction:t\nreceipt:r\n\n\0");

        await client.ReceiveAsync(StompCommand.Connected);
        Assert.Null(await client.ReceiveReceiptAsync("r"));
    }

    [Theory]
    [InlineData("login:alice\npasscode:wrong\n", Wrong)]
    [InlineData("login:nobody\npasscode:wrong\n", Wrong)]
    [InlineData("login:robot\npasscode:wrong\n", Wrong)]
    [InlineData("login:\npasscode:\n", Wrong)]
    [InlineData(
        "", "Only users of this server may connect: send login and passcode with CONNECT, or a bearer token with the handshake.")]
    [InlineData("login:alice\n", "CONNECT has one of login and passcode: send both.")]
    [InlineData("passcode:wrong\n", "CONNECT has one of login and passcode: send both.")]
    public async Task Any_other_client_gets_an_error_that_does_not_say_whether_the_login_is_known(string headers, string sentence)
    {
        await using var server = Serve();
        var client = server.Open();

        await client.SendAsync($"CONNECT\naccept-version:1.2\nreceipt:c\n{headers}\n\0SUBSCRIBE\nid:s\ndestination:/queue/a\n\n\0");

        var error = await client.ReceiveErrorAsync();
        Assert.Equal((sentence, "c"), (error.Header("message"), error.Header("receipt-id")));
    }

    [Fact]
    public async Task A_client_with_a_token_at_the_handshake_needs_no_login_and_a_login_counts_more()
    {
        await using var server = Serve();
        var robot = new User("robot", PasscodeHash.CreateUnmatchable(), ["/"], []);
        var (client, other, wrong) = (server.Open(bearer: robot), server.Open(bearer: robot), server.Open(bearer: robot));

        await client.SendAsync("CONNECT\naccept-version:1.2\n\n\0");
        await other.SendAsync($"CONNECT\naccept-version:1.2\nlogin:alice\npasscode:{AccessFolder.Passcode}\n\n\0");
        await wrong.SendAsync("CONNECT\naccept-version:1.2\nlogin:alice\npasscode:wrong\n\n\0");

        await client.ReceiveAsync(StompCommand.Connected);
        await other.ReceiveAsync(StompCommand.Connected);
        Assert.Equal(Wrong, (await wrong.ReceiveErrorAsync()).Header("message"));
        await client.PublishAsync("/queue/anything", "1", "receipt:p");
        Assert.Equal("no-subscriber", await client.ReceiveReceiptAsync("p"));
        await other.PublishAsync("/queue/anything", "1");
        Assert.Contains("'alice'", (await other.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_whose_time_to_connect_ends_while_its_passcode_is_checked_is_told_that()
    {
        using var held = new ManualResetEventSlim();
        using var asked = new ManualResetEventSlim();
        await using var server = RelayHarness.Direct(access: _folder.Options, matches: (_, _) =>
        {
            asked.Set();
            held.Wait();
            return true;
        });
        var client = server.Open();
        await client.SendAsync("CONNECT\naccept-version:1.2\nlogin:alice\npasscode:any\n\n\0");
        asked.Wait();

        server.Advance(TimeSpan.FromSeconds(10.5));
        var error = await client.ReceiveAsync(StompCommand.Error);
        held.Set();

        Assert.StartsWith(
            "The login was not checked within 10 s (Relay:ConnectTimeout)", error.Header("message"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_passcode_is_neither_logged_nor_sent_back()
    {
        const string secret = "hunter2hunter2";
        await using var server = Serve();
        List<string> told = [];
        foreach (var connect in new[]
                 {
                     $"CONNECT\naccept-version:1.2\nlogin:alice\npasscode:{secret}\n\n\0",
                     $"CONNECT\naccept-version:1.2\npasscode:{secret}\n\n\0",
                     $"CONNECT\naccept-version:9\nlogin:alice\npasscode:{secret}\n\n\0",
                     $"CONNECT\naccept-version:1.2\nlogin:alice\npasscode:two\n{secret}\n\n\0",
                     $"STOMP\naccept-version:1.2\nlogin:alice\npasscode:two\n:{secret}\n\n\0",
                     $"CONNECT\naccept-version:1.2\nlogin:alice\npasscode:{secret}\nheart-beat:x\n\n\0",
                 })
        {
            var client = server.Open();
            await client.SendAsync(connect);
            told.Add((await client.ReceiveErrorAsync()).ToString());
        }

        Assert.Equal(6, server.Log.Lines.Count);
        Assert.All(server.Log.Lines.Concat(told), text => Assert.DoesNotContain(secret, text, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_user_publishes_and_subscribes_under_the_prefixes_of_the_entry_and_nowhere_else_after_that()
    {
        await using var server = Serve();
        var alice = await EnterAsync(server);

        await alice.SubscribeAsync("/queue/orders/1", "q");
        await alice.SubscribeAsync("/topic/news-of-today", "t");
        await alice.PublishAsync("/queue/orders/1", "mine");

        await alice.ReceiveMessageAsync("mine");
        await alice.PublishAsync("/queue/other", "2");
        Assert.Contains("/queue/other", (await alice.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
        Assert.Equal(1, server.Meter.Messages.In);
    }

    [Theory]
    [InlineData("SEND\ndestination:/queue/other\nreceipt:r\n\n\0", "may not publish to '/queue/other'")]
    [InlineData("SEND\ndestination:/topic/news\nreceipt:r\n\n\0", "may not publish to '/topic/news'")]
    [InlineData("SEND\ndestination:/queue/orders\nreceipt:r\n\n\0", "may not publish to '/queue/orders'")]
    [InlineData("SEND\ndestination:/queue/Orders/1\nreceipt:r\n\n\0", "may not publish to '/queue/Orders/1'")]
    [InlineData("SUBSCRIBE\nid:s\ndestination:/topic/new\nreceipt:r\n\n\0", "may not subscribe to '/topic/new'")]
    // A name that is known because it has a subscriber.
    [InlineData(
        "SUBSCRIBE\nid:s\ndestination:/topic/news\n\n\0SEND\ndestination:/topic/news\nreceipt:r\n\n\0",
        "may not publish to '/topic/news'")]
    [InlineData(
        "BEGIN\ntransaction:t\n\n\0SEND\ntransaction:t\ndestination:/queue/other\nreceipt:r\n\n\0", "may not publish to '/queue/other'")]
    public async Task Any_other_destination_is_refused_by_its_name(string frames, string sentence)
    {
        await using var server = Serve();
        var alice = await EnterAsync(server);

        await alice.SendAsync(frames);

        var error = await alice.ReceiveErrorAsync();
        Assert.StartsWith($"The user 'alice' {sentence}: ", error.Header("message"), StringComparison.Ordinal);
        Assert.Equal("r", error.Header("receipt-id"));
        Assert.Equal(0, server.Meter.Messages.In);
    }

    private RelayHarness Serve() => RelayHarness.Direct(access: _folder.Options);

    private static async Task<StompTestClient> EnterAsync(RelayHarness server)
    {
        var client = server.Open();
        await client.SendAsync($"CONNECT\naccept-version:1.2\nlogin:alice\npasscode:{AccessFolder.Passcode}\n\n\0");
        await client.ReceiveAsync(StompCommand.Connected);
        return client;
    }
}
