using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Access;

public sealed class PermissionTests : IDisposable
{
    private readonly AccessFolder _folder = new();

    [Fact]
    public async Task A_user_publishes_and_subscribes_under_the_prefixes_of_the_entry()
    {
        await using var server = Serve();
        var alice = await EnterAsync(server);

        await alice.SubscribeAsync("/queue/orders/1", "q");
        await alice.SubscribeAsync("/topic/news-of-today", "t");
        await alice.PublishAsync("/queue/orders/1", "mine");

        await alice.ReceiveMessageAsync("mine");
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

    [Fact]
    public async Task A_destination_that_was_allowed_before_says_nothing_about_the_next()
    {
        await using var server = Serve();
        var alice = await EnterAsync(server);
        await alice.PublishAsync("/queue/orders/1", "1", "receipt:p");
        await alice.ReceiveReceiptAsync("p");

        await alice.PublishAsync("/queue/other", "2");

        Assert.Contains("/queue/other", (await alice.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
        Assert.Equal(1, server.Meter.Messages.In);
    }

    public void Dispose() => _folder.Dispose();

    private RelayHarness Serve() => RelayHarness.Direct(access: _folder.Options);

    private static async Task<StompTestClient> EnterAsync(RelayHarness server)
    {
        var client = server.Open();
        await client.SendAsync($"CONNECT\naccept-version:1.2\nlogin:alice\npasscode:{AccessFolder.Passcode}\n\n\0");
        await client.ReceiveAsync(StompCommand.Connected);
        return client;
    }
}
