using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay;

/// <summary>Clients that offered no sub-protocol: what their first message begins with tells what they speak.</summary>
public sealed class OpeningTests
{
    private const string Refusal = "The raw relay is not for you.";

    [Theory]
    [InlineData("CONNECT\naccept-version:1.2\n\n\0")]
    [InlineData("STOMP\naccept-version:1.2\n\n\0")]
    [InlineData("CONNECT\r\naccept-version:1.2\r\n\r\n\0")]
    [InlineData("\n\r\n\nCONNECT\naccept-version:1.2\n\n\0")]
    public async Task A_first_message_that_begins_with_a_command_to_connect_is_STOMP(string connect)
    {
        await using var server = RelayHarness.Direct();
        foreach (var kind in new[] { WebSocketMessageType.Text, WebSocketMessageType.Binary })
        {
            var client = server.OpenPlain(kind);
            await client.SendAsync(connect);
            await client.ReceiveAsync(StompCommand.Connected);
            await client.SubscribeAsync("/queue/a", "s");
            await client.PublishAsync("/queue/a", "hello");
            await client.ReceiveMessageAsync("hello");
            Assert.Equal(kind, client.LastKind);
            await client.LeaveAsync();
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("\n")]
    [InlineData("hello")]
    [InlineData("C")]
    [InlineData("CONNECT")]
    [InlineData("CONNECT\r")]
    [InlineData("CONNECT \n")]
    [InlineData("CONNECTED\nversion:1.2\n\n\0")]
    [InlineData("CONNECTION\n")]
    [InlineData("connect\n\n\0")]
    [InlineData("STOMPED\n")]
    [InlineData("STOMP")]
    [InlineData("SEND\ndestination:/queue/a\n\n\0")]
    [InlineData("\rCONNECT\n\n\0")]
    [InlineData(" CONNECT\n\n\0")]
    public async Task Any_other_first_message_is_raw_and_comes_back(string first)
    {
        await using var server = RelayHarness.Direct();
        var client = server.OpenPlain();

        foreach (var text in new[] { first, "CONNECT\n\n\0" })
        {
            await client.SendTextAsync(text);
            Assert.Equal(text, Encoding.UTF8.GetString((await client.ReceiveMessageAsync()).Bytes));
        }
        await client.LeaveAsync();
    }

    [Theory]
    [InlineData("\r\nCONNECT\r\naccept-version:1.2\n\n\0", true)]
    [InlineData("STOMP\naccept-version:1.2\n\n\0", true)]
    [InlineData("CONNECTION\n", false)]
    [InlineData("STO\n", false)]
    [InlineData("\r\n\n\r\n", false)]
    public async Task The_first_message_may_come_in_fragments_of_one_byte(string first, bool isStomp)
    {
        await using var server = RelayHarness.Direct();
        var client = server.OpenPlain();

        for (var i = 0; i < first.Length; i++)
            await client.SendTextAsync(first[i..(i + 1)], endOfMessage: i == first.Length - 1);

        if (isStomp)
            await client.ReceiveAsync(StompCommand.Connected);
        else
            Assert.Equal(first, Encoding.UTF8.GetString((await client.ReceiveMessageAsync()).Bytes));
    }

    [Fact]
    public async Task STOMP_goes_on_over_several_messages_once_it_is_known()
    {
        await using var server = RelayHarness.Direct();
        var client = server.OpenPlain();

        await client.SendTextAsync("CONNECT\nacc");
        await client.SendTextAsync("ept-version:1.2\n\n\0");

        await client.ReceiveAsync(StompCommand.Connected);
    }

    [Fact]
    public async Task A_first_message_of_line_ends_that_is_too_large_ends_as_a_raw_one_does()
    {
        await using var server = RelayHarness.Direct(options => options.MaxMessageBytes = 1024);
        var client = server.OpenPlain();

        await client.SendTextAsync(new string('\n', 1025), endOfMessage: false);

        Assert.Equal(WebSocketCloseStatus.MessageTooBig, (await client.ReceiveCloseAsync()).Status);
    }

    [Fact]
    public async Task A_client_of_the_raw_relay_may_be_silent_for_long()
    {
        await using var server = RelayHarness.Direct();
        var client = server.OpenPlain();

        server.Advance(TimeSpan.FromMinutes(5));
        await client.SendTextAsync("at last");

        Assert.Equal("at last", Encoding.UTF8.GetString((await client.ReceiveMessageAsync()).Bytes));
    }

    [Fact]
    public async Task A_client_that_has_to_log_in_is_told_to_when_it_is_silent_for_too_long()
    {
        await using var server = RelayHarness.Direct();
        var client = server.OpenPlain(rawRefusal: Refusal);

        server.Advance(TimeSpan.FromSeconds(10.5));

        Assert.Equal(
            (WebSocketCloseStatus.PolicyViolation, "No CONNECT came within 10 s (Relay:ConnectTimeout): send CONNECT or STOMP first."),
            await client.ReceiveCloseAsync(isNext: true));
        await client.SessionEnded;
    }

    [Fact]
    public async Task A_client_that_began_to_connect_and_does_not_go_on_is_told_so()
    {
        await using var server = RelayHarness.Direct();
        var late = server.OpenPlain();
        await late.SendTextAsync("CONNECT\n");
        // What the relay counts it has read, and a session acts before it reads again.
        await Waiting.UntilAsync(() => server.Meter.BytesIn >= 8 && late.ServerTransport.PendingRead >= 0);

        server.Advance(TimeSpan.FromSeconds(10.5));

        Assert.StartsWith(
            "The first frame did not end within 10 s", (await late.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Where_there_are_users_a_login_is_demanded_and_raw_is_refused_in_a_sentence()
    {
        using var folder = new AccessFolder();
        await using var server = RelayHarness.Direct(access: folder.Options, matches: (_, passcode) => passcode == AccessFolder.Passcode);
        var clients = Enumerable.Range(0, 3).Select(_ => server.OpenPlain(rawRefusal: Refusal)).ToArray();
        var (right, none, raw) = (clients[0], clients[1], clients[2]);

        await right.SendAsync($"CONNECT\naccept-version:1.2\nlogin:alice\npasscode:{AccessFolder.Passcode}\n\n\0");
        await none.SendAsync("CONNECT\naccept-version:1.2\n\n\0");
        await raw.SendTextAsync("hello");

        await right.ReceiveAsync(StompCommand.Connected);
        var error = await none.ReceiveErrorAsync();
        Assert.StartsWith("Only users of this server may connect:", error.Header("message"), StringComparison.Ordinal);
        Assert.Equal((WebSocketCloseStatus.PolicyViolation, Refusal), await raw.ReceiveCloseAsync(isNext: true));
    }
}
