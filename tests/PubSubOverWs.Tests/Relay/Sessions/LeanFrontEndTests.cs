using System.IO.Pipelines;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.RegularExpressions;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Fuzz.Framing;
using PubSubOverWs.Tests.Relay.Sockets;
using PubSubOverWs.Tests.Relay.Transport;

namespace PubSubOverWs.Tests.Relay.Sessions;

/// <summary>Connections before HTTP: which are answered there, and that no other is treated otherwise than without it.</summary>
public sealed partial class LeanFrontEndTests : IDisposable
{
    private const string Good = "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    private readonly AccessFolder _folder = new();

    [Fact]
    public async Task A_whole_handshake_is_answered_at_once_and_one_in_pieces_by_HTTP()
    {
        await using var server = await MemoryServer.StartAsync(FrontEnd.Lean);

        var whole = await AnswerAsync(server, Good);
        var pieces = await AnswerAsync(server, Good[..30], Good[30..]);

        Assert.StartsWith("HTTP/1.1 101 ", whole, StringComparison.Ordinal);
        Assert.DoesNotContain("Date:", whole, StringComparison.Ordinal);
        Assert.StartsWith("HTTP/1.1 101 ", pieces, StringComparison.Ordinal);
        Assert.Contains("Date:", pieces, StringComparison.Ordinal);
        Assert.Equal(2, server.Meter.Connections.Total);
    }

    [Theory]
    [InlineData("/ws", 101)]
    [InlineData("/WS", 101)]
    [InlineData("/ws/", 101)]
    [InlineData("/raw?a=b", 101)]
    [InlineData("/RAW/", 101)]
    [InlineData("/ws//", 404)]
    [InlineData("/wsx", 404)]
    [InlineData("/ws/a", 404)]
    public async Task WebSockets_have_the_addresses_that_an_endpoint_of_the_router_would_have(string target, int status)
    {
        foreach (var frontEnd in Enum.GetValues<FrontEnd>())
        {
            await using var server = await MemoryServer.StartAsync(frontEnd);

            var answer = await AnswerAsync(server, Good.Replace("/ws", target, StringComparison.Ordinal));

            Assert.StartsWith($"HTTP/1.1 {status} ", answer, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("AllowedHosts", "other.example")]
    [InlineData("ForwardedHeaders_Enabled", "true")]
    public async Task With_middleware_of_the_framework_before_it_no_handshake_passes_it_by(string setting, string value)
    {
        await using var server = await MemoryServer.StartAsync(FrontEnd.Lean, (setting, value));

        Assert.Contains("Date:", await AnswerAsync(server, Good), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Frames_behind_the_handshake_are_not_lost()
    {
        await using var server = await MemoryServer.StartAsync(FrontEnd.Lean);
        var connection = server.Connect();
        byte[] all =
            [.. Encoding.ASCII.GetBytes(Good), .. ConformanceCase.Frame(0x81, "hello"u8), .. ConformanceCase.Frame(0x88, [3, 0xE8])];

        await connection.SendAsync(all);

        var received = await ReadAsync(connection);
        Assert.Equal([0x81, 5, .. "hello"u8, 0x88, 2, 3, 0xE8], received[^11..]);
        await connection.Ended.Patiently();
        Assert.Equal((0, 1), (server.Meter.Connections.Open, server.Meter.Connections.Total));
    }

    [Fact]
    public async Task A_connection_of_its_own_transport_is_the_web_servers_no_more_once_its_WebSocket_is_open()
    {
        await using var server = await MemoryServer.StartAsync(FrontEnd.Lean);
        await using var pair = await SocketPair.ConnectAsync();
        await pair.SendAsync(Good);

        await server.LeanFrontEnd.Before(_ => throw new InvalidOperationException("Left to HTTP."))(pair.Server).Patiently();
        await pair.Server.DisposeAsync();

        await pair.Client.SendAsync(
            (byte[])[.. ConformanceCase.Frame(0x81, "hello"u8), .. ConformanceCase.Frame(0x88, [3, 0xE8])]);
        List<byte> received = [];
        var buffer = new byte[1024];
        while (await pair.Client.ReceiveAsync(buffer) is > 0 and var length)
            received.AddRange(buffer.AsSpan(0, length));
        Assert.Equal([0x81, 5, .. "hello"u8, 0x88, 2, 3, 0xE8], received[^11..]);
    }

    /// <summary>Each is answered in the same words, and leaves the connection in the same state, with either front end.</summary>
    [Theory]
    [InlineData("GET /ws ", "GET /nowhere ")]
    [InlineData("GET /ws HTTP/1.1", "GET /ws HTTP/1.1 x")]
    [InlineData("Host: 127.0.0.1", "Host: 127.0.0.1\r\nHost: other.example")]
    [InlineData("Host: 127.0.0.1", "Host: a b")]
    [InlineData("Host: 127.0.0.1", "Host: a:b")]
    [InlineData("Host: 127.0.0.1", "Host: [::1")]
    [InlineData("Connection: Upgrade", "Connection: \"Upgrade\"")]
    [InlineData("Connection: Upgrade", "Connection: Upgrade\r\nContent-Length: 0")]
    [InlineData("Host: 127.0.0.1\r\n", "")]
    [InlineData("Upgrade: websocket", "Upgrade: websocket\r\nContent-Length: 5")]
    [InlineData("Upgrade: websocket", "Upgrade: websocket\r\nContent-Length: 5\r\nContent-Length: 6")]
    [InlineData("Upgrade: websocket", "Upgrade: websocket\r\nTransfer-Encoding: chunked")]
    [InlineData("Upgrade: websocket", "Upgrade: websocket\r\nContent-Length: 5\r\nTransfer-Encoding: chunked")]
    [InlineData("Upgrade: websocket", "Upgrade: websocket\r\nX : value")]
    [InlineData("Upgrade: websocket", "Upgrade: websocket\r\nX: a\nContent-Length: 5")]
    [InlineData("Upgrade: websocket", "Upgrade: websocket\r\nSec-WebSocket-Protocol: mqtt")]
    [InlineData("Upgrade: websocket", "Upgrade: websocket\r\nOrigin: https://evil.example")]
    [InlineData(Good, "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")]
    [InlineData(Good, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")]
    [InlineData(Good, "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\r\n\r\n")]
    public async Task Any_other_request_is_answered_as_without_the_lean_front_end(string what, string otherwise)
    {
        var request = Good.Replace(what, otherwise, StringComparison.Ordinal) + "12345";
        List<string> answers = [];
        foreach (var frontEnd in Enum.GetValues<FrontEnd>())
        {
            await using var server = await MemoryServer.StartAsync(frontEnd);
            var connection = server.Connect();
            await connection.SendAsync(Encoding.Latin1.GetBytes(request));
            connection.Complete();
            var answer = Undated(await ReadAsync(connection));
            await connection.Ended.Patiently();
            answers.Add(answer + server.Meter.Connections);
        }

        Assert.Equal(answers[0], answers[1]);
    }

    /// <summary>HTTP never lets others have their turn, and nor does the framework's WebSocket.</summary>
    [Fact]
    public async Task What_is_left_to_HTTP_does_not_run_on_the_thread_that_reads_the_socket()
    {
        await using var server = await MemoryServer.StartAsync(FrontEnd.Lean);
        var connection = server.Connect(PipeScheduler.Inline);
        var (sending, answeredThere) = (0, 0);

        // Without a context, so that what waits for bytes goes on where they are written.
        await Task.Run(async () =>
        {
            for (var requests = 20; requests > 0; requests--)
            {
                var answer = AnswerAsync();
                Volatile.Write(ref sending, Environment.CurrentManagedThreadId);
                var sent = connection.SendAsync("GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"u8.ToArray());
                Volatile.Write(ref sending, 0);
                await sent;
                await answer.Patiently();
            }
        });
        connection.Complete();
        await connection.Ended.Patiently();

        Assert.Equal(0, answeredThere);

        async Task AnswerAsync()
        {
            Assert.True(await connection.ReceiveAsync([]));
            if (Volatile.Read(ref sending) == Environment.CurrentManagedThreadId)
                Interlocked.Increment(ref answeredThere);
        }
    }

    [Fact]
    public async Task A_request_that_is_too_long_is_left_to_HTTP()
    {
        await using var server = await MemoryServer.StartAsync(FrontEnd.Lean);
        var cookie = $"Upgrade: websocket\r\nCookie: {new string('a', UpgradeRequest.MaxBytes)}";

        var answer = await AnswerAsync(server, Good.Replace("Upgrade: websocket", cookie, StringComparison.Ordinal));

        Assert.Contains("Date:", answer, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task One_connection_too_many_is_refused_and_one_that_ended_is_not_counted(FrontEnd frontEnd)
    {
        await using var server = await MemoryServer.StartAsync(frontEnd, ("Relay:MaxConnections", "1"));
        var first = server.Connect();
        await first.SendAsync(Encoding.ASCII.GetBytes(Good));
        Assert.True(await first.ReceiveAsync([]).Patiently());

        Assert.StartsWith("HTTP/1.1 503 ", await AnswerAsync(server, Good), StringComparison.Ordinal);
        first.Complete();
        await first.Ended.Patiently();

        Assert.StartsWith("HTTP/1.1 101 ", await AnswerAsync(server, Good), StringComparison.Ordinal);
        Assert.Equal((1, 1), (server.Meter.Connections.Refused, server.Meter.Connections.Limited));
    }

    [Theory]
    [InlineData("Bearer a-token", "101")]
    [InlineData("Bearer another", "401")]
    public async Task A_token_is_checked_as_at_the_other_front_end(string authorization, string status)
    {
        await using var server = await MemoryServer.StartAsync(FrontEnd.Lean, ("Access:UsersFile", _folder.Options.UsersFile));

        var answer = await AnswerAsync(
            server, Good.Replace("Upgrade: w", $"Authorization: {authorization}\r\nUpgrade: w", StringComparison.Ordinal));

        Assert.StartsWith($"HTTP/1.1 {status} ", answer, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_silent_client_is_asked_again_and_again_while_it_answers_and_is_cut_when_it_does_not()
    {
        var time = new FakeTime();
        await using var server = await MemoryServer.StartAsync(
            FrontEnd.Lean, time, ("Relay:KeepAlive", "00:00:10"), ("Relay:KeepAliveTimeout", "00:10:00"));
        // The clock does not run ahead of what the server reads.
        var connection = server.Connect(waits: true);
        await connection.SendAsync(Encoding.ASCII.GetBytes(Good));
        Assert.True(await connection.ReceiveAsync([]).Patiently());

        for (var i = 0; i < 3; i++)
        {
            List<byte> ping = [];
            Assert.True(await WhileTimePassesAsync(connection.ReceiveAsync(ping)));
            Assert.Equal([0x89, 0], ping);
            if (i < 2)
                await connection.SendAsync(ConformanceCase.Frame(0x8A, []));
        }
        var asked = time.GetTimestamp();
        Assert.False(await WhileTimePassesAsync(connection.ReceiveAsync([])));

        Assert.True(time.GetElapsedTime(asked) > TimeSpan.FromMinutes(9));
        connection.Complete();
        await connection.Ended.Patiently();

        async Task<bool> WhileTimePassesAsync(Task<bool> receiving)
        {
            while (!receiving.IsCompleted)
            {
                time.Advance(SessionClock.Period);
                await Waiting.GiveWayAsync(1);
            }
            return await receiving;
        }
    }

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task A_client_that_has_left_and_takes_nothing_of_what_was_written_is_cut_when_its_time_is_over(FrontEnd frontEnd)
    {
        var time = new FakeTime();
        await using var server = await MemoryServer.StartAsync(frontEnd, time, ("Relay:CloseTimeout", "00:00:10"));
        var connection = server.Connect(lingers: true);
        await connection.SendAsync(Encoding.ASCII.GetBytes(Good));
        await connection.SendAsync(ConformanceCase.Frame(0x88, [3, 0xE8]));
        await Waiting.UntilAsync(() => server.Meter.Connections is { Total: 1, Open: 0 });
        var left = time.GetTimestamp();

        for (; time.GetElapsedTime(left) < TimeSpan.FromSeconds(9.9); time.Advance(SessionClock.Period))
        {
            Assert.False(connection.Ended.IsCompleted);
            await Waiting.GiveWayAsync(5);
        }

        await connection.Ended.WhileAsync(() => time.Advance(SessionClock.Period));
        // By us: the web server has time-outs of its own, by the system's clock.
        Assert.Contains("by the application via ConnectionContext.Abort", connection.CutBecause, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task A_client_that_takes_what_was_written_last_gets_all_of_it_and_is_not_cut(FrontEnd frontEnd)
    {
        await using var server = await MemoryServer.StartAsync(frontEnd, new FakeTime());
        var connection = server.Connect(lingers: true);
        await connection.SendAsync(Encoding.ASCII.GetBytes(Good));
        await connection.SendAsync(ConformanceCase.Frame(0x81, "hello"u8));
        await connection.SendAsync(ConformanceCase.Frame(0x88, [3, 0xE8]));
        await Waiting.UntilAsync(() => server.Meter.Connections is { Total: 1, Open: 0 });

        var received = await ReadAsync(connection);

        Assert.Equal([0x81, 5, .. "hello"u8, 0x88, 2, 3, 0xE8], received[^11..]);
        await connection.Ended.Patiently();
        Assert.Null(connection.CutBecause);
    }

    [Fact]
    public async Task A_stopping_server_ends_connections_of_which_nothing_has_come_and_closes_WebSockets()
    {
        await using var server = await MemoryServer.StartAsync(FrontEnd.Lean);
        var (silent, open) = (server.Connect(), server.Connect());
        await open.SendAsync(Encoding.ASCII.GetBytes(Good));
        Assert.True(await open.ReceiveAsync([]).Patiently());

        var stopping = server.StopAsync();
        List<byte> close = [];
        Assert.True(await open.ReceiveAsync(close).Patiently());
        open.Complete();
        await stopping.Patiently();

        Assert.Equal([0x88, 0x03, 0xE9], [close[0], close[2], close[3]]);
        await silent.Ended.Patiently();
    }

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task A_client_that_goes_on_after_its_end_is_cut_even_if_its_fragments_are_empty(FrontEnd frontEnd)
    {
        const int fragments = 3_000_000;
        await using var server = await MemoryServer.StartAsync(
            frontEnd, ("Relay:MaxMessageBytes", "1024"), ("Relay:CloseTimeout", "00:01:00"));
        var connection = server.Connect();
        await connection.SendAsync(Encoding.ASCII.GetBytes(Good));
        await connection.SendAsync(ConformanceCase.Frame(0x02, new byte[1025]));

        await connection.SendAsync(Enumerable.Repeat(ConformanceCase.Frame(0, []), fragments).SelectMany(bytes => bytes).ToArray());

        await connection.Ended.Patiently();
        Assert.Equal(1, server.Meter.Connections.Cut);
    }

    public void Dispose() => _folder.Dispose();

    // The head of what comes back to the pieces of a request.
    private static async Task<string> AnswerAsync(MemoryServer server, params string[] pieces)
    {
        var connection = server.Connect(waits: true);
        foreach (var piece in pieces)
            await connection.SendAsync(Encoding.ASCII.GetBytes(piece)).Patiently();
        List<byte> received = [];
        while (CollectionsMarshal.AsSpan(received).IndexOf("\r\n\r\n"u8) < 0)
            Assert.True(await connection.ReceiveAsync(received).Patiently());
        connection.Complete();
        await connection.Ended.Patiently();
        return Encoding.ASCII.GetString([.. received]);
    }

    private static async Task<List<byte>> ReadAsync(MemoryConnection connection)
    {
        List<byte> received = [];
        while (await connection.ReceiveAsync(received).Patiently())
        {
            // Until the server ends it.
        }
        connection.Complete();
        return received;
    }

    private static string Undated(List<byte> answer) => Date().Replace(Encoding.Latin1.GetString([.. answer]), "");

    [GeneratedRegex("Date: [^\r]*\r\n")]
    private static partial Regex Date();
}
