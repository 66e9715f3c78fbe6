using System.Runtime.InteropServices;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Fuzz.Framing;

namespace PubSubOverWs.Tests.Relay.Sockets;

/// <summary>
/// WebSocket framing by the case list of Autobahn, on both front ends. The clients use the raw relay, which sends back each message, so
/// that what they get is what the framing made of theirs.
/// </summary>
public sealed class ConformanceTests(ConformanceTests.Servers servers) : IClassFixture<ConformanceTests.Servers>
{
    private static readonly byte[] Handshake =
        ("GET /raw HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"u8
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"u8).ToArray();

    public static TheoryData<FrontEnd, string> Cases
    {
        get
        {
            var cases = new TheoryData<FrontEnd, string>();
            foreach (var frontEnd in Enum.GetValues<FrontEnd>())
            {
                foreach (var one in ConformanceCase.All)
                    cases.Add(frontEnd, one.Number);
            }
            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_server_answers_frames_as_the_case_says(FrontEnd frontEnd, string number)
    {
        var one = ConformanceCase.All.Single(one => one.Number == number);

        var answer = await TalkAsync(servers.Of(frontEnd), one.Writes);

        Assert.Contains(answer.Close ?? 0, one.Closes);
        // A ping is answered until the client's close frame has come; a client that broke a rule may have sent one before that.
        Assert.All(
            answer.AfterClose,
            opcode => Assert.True(one.IsOffence && opcode == ServerFrames.Pong, $"{opcode} came after the close frame."));
        Assert.Equal(0, answer.Rest);
        AssertBegins(one.Messages, answer.Messages, isWhole: !one.IsOffence);
        Assert.Equal(one.Kinds.Take(answer.Kinds.Count), answer.Kinds);
        AssertBegins(one.Pongs, answer.Pongs, isWhole: !one.IsOffence);
    }

    [Fact]
    public void The_list_has_each_case_once_and_all_groups_but_those_of_compression()
    {
        Assert.Equal(ConformanceCase.All.Count, ConformanceCase.All.Select(one => one.Number).Distinct().Count());
        Assert.Equal(
            ["1", "2", "3", "4", "5", "6", "7", "9", "10"], ConformanceCase.All.Select(one => one.Number.Split('.')[0]).Distinct());
    }

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task A_message_in_the_smallest_fragments_takes_no_more_memory_than_its_bytes(FrontEnd frontEnd)
    {
        const int fragments = 50_000;
        var server = servers.Of(frontEnd);
        var connection = await OpenAsync(server, []);
        // As many empty ones as others.
        byte[] pair = [.. ConformanceCase.Frame(0, "a"u8), .. ConformanceCase.Frame(0, [])];
        await connection.SendAsync(ConformanceCase.Frame(2, "a"u8));
        await connection.SendAsync(Enumerable.Repeat(pair, fragments).SelectMany(bytes => bytes).ToArray());
        await connection.SendAsync(ConformanceCase.Frame(0x89, []));
        List<byte> received = [];
        while (received.Count == 0)
            Assert.True(await connection.ReceiveAsync(received).Patiently());

        // The pong: all before it was taken. A buffer grows by half at most, and is counted twice while it is copied.
        Assert.Equal([0x8A, 0], received);
        Assert.InRange(server.SentTaken, 0, 4 * fragments);
        connection.Complete();
        await connection.Ended.Patiently();
    }

    [Theory]
    [InlineData(FrontEnd.Framework, "7fffffffffffffff")]
    [InlineData(FrontEnd.Framework, "8000000000000000")]
    [InlineData(FrontEnd.Framework, "ffffffffffffffff")]
    [InlineData(FrontEnd.Lean, "7fffffffffffffff")]
    [InlineData(FrontEnd.Lean, "8000000000000000")]
    [InlineData(FrontEnd.Lean, "ffffffffffffffff")]
    public async Task A_length_of_64_bits_before_login_reserves_nothing_and_ends_the_connection(FrontEnd frontEnd, string length)
    {
        var server = servers.Of(frontEnd);
        byte[] begun = [0x82, 0xFF, .. Convert.FromHexString(length), 1, 2, 3, 4, .. new byte[1000]];

        var answer = await TalkAsync(server, [begun], closes: false);

        // A length that cannot be is refused; of any other, as much counts as has come.
        Assert.Equal(length[0] >= '8' && frontEnd == FrontEnd.Lean ? 1002 : answer.Close, answer.Close);
        Assert.Empty(answer.Messages);
        await Waiting.UntilAsync(() => server.SentTaken == 0);
    }

    private static async Task<ServerFrames> TalkAsync(MemoryServer server, IEnumerable<byte[]> writes, bool closes = true)
    {
        List<byte> received = [];
        var connection = await OpenAsync(server, received);
        foreach (var piece in writes)
            await connection.SendAsync(piece);
        // What no close frame ends, the end of the stream does.
        if (!closes)
            connection.Complete();
        while (await connection.ReceiveAsync(received).Patiently())
        {
            if (!closes || ServerFrames.Read(CollectionsMarshal.AsSpan(received)).Close is null)
                continue;
            connection.Complete();
            closes = false;
        }
        connection.Complete();
        await connection.Ended.Patiently();
        return ServerFrames.Read(CollectionsMarshal.AsSpan(received));
    }

    private static async Task<MemoryConnection> OpenAsync(MemoryServer server, List<byte> received)
    {
        var connection = server.Connect();
        await connection.SendAsync(Handshake);
        List<byte> head = [];
        int end;
        while ((end = CollectionsMarshal.AsSpan(head).IndexOf("\r\n\r\n"u8)) < 0)
            Assert.True(await connection.ReceiveAsync(head).Patiently(), "The handshake was not answered.");
        received.AddRange(head.Skip(end + 4));
        return connection;
    }

    private static void AssertBegins(List<byte[]> expected, List<byte[]> got, bool isWhole)
    {
        Assert.InRange(got.Count, isWhole ? expected.Count : 0, expected.Count);
        for (var i = 0; i < got.Count; i++)
            Assert.Equal(expected[i], got[i]);
    }

    /// <summary>One for each front end, for all cases.</summary>
    public sealed class Servers : IAsyncLifetime
    {
        private readonly Dictionary<FrontEnd, MemoryServer> _servers = [];

        internal MemoryServer Of(FrontEnd frontEnd) => _servers[frontEnd];

        public async Task InitializeAsync()
        {
            foreach (var frontEnd in Enum.GetValues<FrontEnd>())
                _servers[frontEnd] = await MemoryServer.StartAsync(frontEnd, ("Relay:MaxMessageBytes", "716800"));
        }

        public async Task DisposeAsync()
        {
            foreach (var server in _servers.Values)
                await server.DisposeAsync();
        }
    }
}
