using System.Text;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.Fuzz.Framing;

namespace PubSubOverWs.Tests.Relay.Sessions;

public sealed class ConnectTests
{
    private const string Good =
        "GET /raw HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    [Theory]
    [InlineData("accept-version:1.2\n", "1.2")]
    [InlineData("accept-version:1.0,1.1,1.2\n", "1.2")]
    [InlineData("accept-version:1.1,1.0\n", "1.1")]
    [InlineData("accept-version:1.0\n", "1.0")]
    [InlineData("accept-version:1.1, 2.0\n", "1.1")]
    [InlineData("", "1.0")]
    public async Task The_best_version_that_both_know_is_agreed_on(string header, string version)
    {
        await using var server = RelayHarness.Direct();
        var client = server.Open();

        await client.SendAsync($"CONNECT\nhost:test\n{header}\n\0");

        Assert.Equal(version, (await client.ReceiveAsync(StompCommand.Connected)).Header("version"));
    }

    [Fact]
    public async Task Without_a_common_version_the_error_lists_those_the_server_knows()
    {
        await using var server = RelayHarness.Direct();
        var client = server.Open();

        await client.SendAsync("CONNECT\naccept-version:1.3,2.0\nhost:test\n\n\0");

        var error = await client.ReceiveErrorAsync();
        Assert.Equal("1.0,1.1,1.2", error.Header("version"));
        Assert.Contains("1.3,2.0", error.Header("message"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("STOMP\naccept-version:1.2\nhost:test\n\n\0")]
    [InlineData("CONNECT\naccept-version:1.2\n\n\0")]
    [InlineData("CONNECT\r\naccept-version:1.2\r\nhost:test\r\n\r\n\0")]
    [InlineData("\n\r\nCONNECT\naccept-version:1.2\nlogin:somebody\npasscode:secret\n\n\0\n")]
    public async Task A_client_may_say_stomp_leave_the_host_out_and_end_lines_either_way(string connect)
    {
        await using var server = RelayHarness.Direct();
        var client = server.Open();

        await client.SendAsync(connect);

        var connected = await client.ReceiveAsync(StompCommand.Connected);
        Assert.Equal("PubSubOverWs (direct)", connected.Header("server"));
        Assert.NotEmpty(connected.Header("session")!);
        await client.ExpectNothingAsync();
    }

    [Fact]
    public async Task Two_sessions_have_two_names()
    {
        await using var server = RelayHarness.Direct();
        List<string?> names = [];
        foreach (var client in new[] { server.Open(), server.Open() })
        {
            await client.SendAsync("CONNECT\naccept-version:1.2\nhost:test\n\n\0");
            names.Add((await client.ReceiveAsync()).Header("session"));
        }

        Assert.NotEqual(names[0], names[1]);
    }

    [Theory]
    [InlineData("0,0", "1.2", "0,0")]
    [InlineData("1000,20000", "1.2", "20000,10000")]
    [InlineData("15000,500", "1.1", "10000,15000")]
    [InlineData("0,4000", "1.2", "10000,0")]
    [InlineData("4000,0", "1.2", "0,10000")]
    [InlineData("10000, 10000", "1.2", "10000,10000")]
    [InlineData(" 15000 ,0", "1.1", "0,15000")]
    [InlineData("0,2147483648", "1.2", "2147483647,0")]
    [InlineData("99999999999999999999999,0", "1.2", "0,2147483647")]
    [InlineData("1000,1000", "1.0", null)]
    public async Task Heart_beats_are_agreed_on_for_each_direction_but_in_version_1_0(string offered, string version, string? agreed)
    {
        await using var server = RelayHarness.Direct(options => options.HeartBeat = TimeSpan.FromSeconds(10));
        var client = server.Open();

        await client.SendAsync($"CONNECT\naccept-version:{version}\nhost:test\nheart-beat:{offered}\n\n\0");

        Assert.Equal(agreed, (await client.ReceiveAsync(StompCommand.Connected)).Header("heart-beat"));
    }

    [Theory]
    [InlineData("1000")]
    [InlineData("1000,x")]
    [InlineData("-1,0")]
    [InlineData("1,2,3")]
    [InlineData("1000, ")]
    [InlineData("1 000,0")]
    [InlineData("Infinity,0")]
    public async Task A_heart_beat_that_is_not_two_numbers_is_refused(string offered)
    {
        await using var server = RelayHarness.Direct();
        var client = server.Open();

        await client.SendAsync($"CONNECT\naccept-version:1.2\nhost:test\nheart-beat:{offered}\n\n\0");

        Assert.Contains(offered, (await client.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_that_never_sends_connect_is_told_and_closed()
    {
        await using var server = RelayHarness.Direct(options => options.ConnectTimeout = TimeSpan.FromSeconds(3));
        var client = server.Open();
        await client.SendAsync("\n");

        server.Advance(TimeSpan.FromSeconds(3.5));

        Assert.Contains("No CONNECT came within 3 s", (await client.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("CONNECT\naccept-version:1.2\nhost:test\n\n")]
    [InlineData("CONNECT\naccept-version:1.2\n")]
    [InlineData("STOMP")]
    public async Task A_client_whose_first_frame_does_not_end_is_told_how_it_ends(string frame)
    {
        await using var server = RelayHarness.Direct(options => options.ConnectTimeout = TimeSpan.FromSeconds(3));
        var client = server.Open();
        await client.SendAsync(frame);
        await Waiting.UntilAsync(() => server.Meter.BytesIn == frame.Length);

        server.Advance(TimeSpan.FromSeconds(3.5));

        var said = (await client.ReceiveErrorAsync()).Header("message");
        Assert.Contains("did not end within 3 s", said, StringComparison.Ordinal);
        Assert.Contains("NUL", said, StringComparison.Ordinal);
    }

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

    // A turn is 64 frames or 64 KiB, and what one receive brought when that was reached.
    [Theory]
    [InlineData(10, 128)]
    [InlineData(20_000, 8)]
    public async Task A_session_with_much_to_act_on_lets_others_have_their_turn(int bodyBytes, int most)
    {
        await using var server = RelayHarness.Direct();
        var (client, turns) = Turns.Open(server);
        var send = $"SEND\ndestination:/topic/t\n\n{new string('x', bodyBytes)}\0";
        await client.SendAsync($"CONNECT\naccept-version:1.2\nhost:test\n\n\0{string.Concat(Enumerable.Repeat(send, 1_000))}");

        Assert.InRange(await turns.LargestAsync(() => server.Meter.Messages.In, 1_000), 1, most);
    }

    [Fact]
    public async Task A_session_that_ended_and_whose_client_goes_on_sending_lets_others_have_their_turn()
    {
        await using var server = RelayHarness.Direct();
        var (client, turns) = Turns.Open(server);
        await client.SendAsync("NONSENSE\n\n\0");
        await client.SendAsync(new string('x', 8 << 20));

        Assert.InRange(await turns.LargestAsync(() => client.ServerTransport.BytesRead, 8 << 20), 1, 128 * 1024);
    }
}
