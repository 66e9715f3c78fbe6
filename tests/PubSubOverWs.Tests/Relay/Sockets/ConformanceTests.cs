using System.Net.Sockets;
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

        var answer = await TalkAsync(servers.Of(frontEnd), one);

        Assert.Contains(answer.Close ?? 0, one.Closes);
        // A ping is answered until the client's close frame has come; a client that broke a rule may have sent one before that.
        Assert.All(
            answer.AfterClose,
            opcode => Assert.True(one.IsOffence && opcode == ServerFrames.Pong, $"{opcode} came after the close frame."));
        Assert.Equal(0, answer.Rest);
        ServerFrames.AssertBegin("messages", one.Messages, answer.Messages, missing: one.IsOffence ? null : 0);
        Assert.Equal(one.Kinds.Take(answer.Kinds.Count), answer.Kinds);
        ServerFrames.AssertBegin("pongs", one.Pongs, answer.Pongs, missing: one.IsOffence ? null : 0);
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
        using var connection = await server.OpenAsync("/raw", []);
        // As many empty ones as others.
        byte[] pair = [.. ConformanceCase.Frame(0, "a"u8), .. ConformanceCase.Frame(0, [])];
        await connection.SendAsync(ConformanceCase.Frame(2, "a"u8));
        await connection.SendAsync(Enumerable.Repeat(pair, fragments).SelectMany(bytes => bytes).ToArray());
        await connection.SendAsync(ConformanceCase.Frame(0x89, []));
        List<byte> received = [];
        while (received.Count == 0)
            Assert.True(await connection.ReceiveAsync(received));

        // The pong: all before it was taken. A buffer grows by half at most, and is counted twice while it is copied.
        Assert.Equal([0x8A, 0], received);
        Assert.InRange(server.SentTaken, 0, 4 * fragments);
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

        List<byte> received = [];
        using var connection = await server.OpenAsync("/raw", received);
        await connection.SendAsync(begun);
        connection.Complete();
        try
        {
            await connection.ReadAllAsync(received);
        }
        catch (SocketException)
        {
            // A client that ends within a frame is cut.
        }

        // A length that cannot be is refused; of any other, as much counts as has come.
        var answer = ServerFrames.Read(CollectionsMarshal.AsSpan(received));
        Assert.Equal(length[0] >= '8' && frontEnd == FrontEnd.Lean ? 1002 : answer.Close, answer.Close);
        Assert.Empty(answer.Messages);
        await Waiting.UntilAsync(() => server.SentTaken == 0);
    }

    private static async Task<ServerFrames> TalkAsync(LoopbackServer server, ConformanceCase one)
    {
        List<byte> received = [];
        using var connection = await server.OpenAsync("/raw", received);
        // A client that did not read meanwhile would find no room for what comes back.
        var sending = SendAllAsync();
        for (var goodbye = one.Goodbye; ServerFrames.Read(CollectionsMarshal.AsSpan(received)) is { Close: null } so;)
        {
            if (goodbye is not null && so.Messages.Count == one.Messages.Count && so.Pongs.Count == one.Pongs.Count)
            {
                await sending;
                await connection.SendAsync(goodbye);
                goodbye = null;
            }
            Assert.True(await connection.ReceiveAsync(received), "The close frame did not come.");
        }
        await sending;
        connection.Complete();
        return ServerFrames.Read(CollectionsMarshal.AsSpan(await connection.ReadAllAsync(received)));

        async Task SendAllAsync()
        {
            foreach (var piece in one.Writes)
                await connection.SendAsync(piece);
        }
    }

    /// <summary>One for each front end, for all cases.</summary>
    public sealed class Servers : IAsyncLifetime
    {
        private readonly Dictionary<FrontEnd, LoopbackServer> _servers = [];

        internal LoopbackServer Of(FrontEnd frontEnd) => _servers[frontEnd];

        public async Task InitializeAsync()
        {
            foreach (var frontEnd in Enum.GetValues<FrontEnd>())
                _servers[frontEnd] = await LoopbackServer.StartAsync(frontEnd, ("Relay:MaxMessageBytes", "716800"));
        }

        public async Task DisposeAsync()
        {
            foreach (var server in _servers.Values)
                await server.DisposeAsync();
        }
    }
}
