using System.Runtime.InteropServices;
using System.Text;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Fuzz.Framing;

namespace PubSubOverWs.Tests.Relay.Sockets;

/// <summary>
/// What a server says last comes, over a real socket, although the client sends more than the server wants to know, and before it reads.
/// </summary>
public sealed class LastWordsTests
{
    private const string Connect = "CONNECT\naccept-version:1.2\nhost:test\n\n\0";

    private static readonly byte[] More = ConformanceCase.Frame(0x82, new byte[10_000]);

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task The_close_frame_of_an_offence_comes_and_one_that_answers_that_of_a_client_and_then_the_end(FrontEnd frontEnd)
    {
        // A reserved bit.
        var offence = await TalkAsync(frontEnd, "/raw", ConformanceCase.Frame(0xC2, "x"u8));
        var answer = await TalkAsync(frontEnd, "/raw", ConformanceCase.Frame(0x88, [3, 0xE8]));

        Assert.Equal((1002, 1000), (offence.Close, answer.Close));
    }

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task An_ERROR_comes_although_the_client_then_breaks_a_rule_of_the_framing_and_the_receipt_of_DISCONNECT_although_it_sends(
        FrontEnd frontEnd)
    {
        var error = await TalkAsync(
            frontEnd, "/ws", ConformanceCase.Frame(0x81, Encoding.UTF8.GetBytes(Connect + "NONSENSE\n\n\0")),
            ConformanceCase.Frame(0xC2, "x"u8));
        var receipt = await TalkAsync(
            frontEnd, "/ws", ConformanceCase.Frame(0x81, Encoding.UTF8.GetBytes(Connect + "DISCONNECT\nreceipt:bye\n\n\0")));

        Assert.StartsWith("ERROR", Encoding.UTF8.GetString(error.Messages[^1]), StringComparison.Ordinal);
        Assert.Contains("receipt-id:bye", Encoding.UTF8.GetString(receipt.Messages[^1]), StringComparison.Ordinal);
        Assert.Equal((1008, 1000), (error.Close, receipt.Close));
    }

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task A_client_that_closes_before_it_reads_gets_what_is_being_written_and_the_rest_is_dropped_and_counted(FrontEnd frontEnd)
    {
        // More than the buffers of both systems hold.
        const int messages = 1_000;
        await using var server = await LoopbackServer.StartAsync(frontEnd, ("Relay:OutboxBytes", $"{128 << 20}"));
        List<byte> received = [];
        using var client = await server.OpenAsync("/raw", received);
        var message = ConformanceCase.Frame(0x82, new byte[64 * 1024]);
        for (var i = 0; i < messages; i++)
            await client.SendAsync(message);
        await client.SendAsync(ConformanceCase.Frame(0x88, [3, 0xE8]));
        await Waiting.UntilAsync(() => !server.HasSubscribers);

        var answer = ServerFrames.Read(CollectionsMarshal.AsSpan(await client.ReadAllAsync(received)));

        var dropped = server.Meter.Drops["closed"];
        Assert.Equal((1000, 0), (answer.Close, answer.Rest));
        Assert.InRange(dropped, 1, messages - 1);
        Assert.Equal(messages, answer.Messages.Count + dropped);
    }

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task The_answer_to_a_request_that_is_too_long_comes(FrontEnd frontEnd)
    {
        var head = await AnswerAsync(frontEnd, [], "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + new string('x', 1 << 20));

        Assert.StartsWith("HTTP/1.1 431 ", head, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task The_refusal_of_a_handshake_comes_although_frames_follow_it(FrontEnd frontEnd)
    {
        var handshake = Encoding.ASCII.GetString(LoopbackClient.Handshake("/raw"));

        var head = await AnswerAsync(
            frontEnd, [("Relay:MaxConnections", "1")], handshake + Encoding.Latin1.GetString(More), async server =>
                await server.OpenAsync("/raw", []));

        Assert.StartsWith("HTTP/1.1 503 ", head, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(FrontEnd.Framework)]
    [InlineData(FrontEnd.Lean)]
    public async Task A_client_that_does_not_end_after_its_offence_is_cut_when_its_time_is_over(FrontEnd frontEnd)
    {
        var time = new FakeTime();
        await using var server = await LoopbackServer.StartAsync(frontEnd, time, ("Relay:CloseTimeout", "00:01:00"));
        List<byte> received = [];
        using var client = await server.OpenAsync("/raw", received);
        await client.SendAsync(ConformanceCase.Frame(0xC2, "x"u8));
        while (ServerFrames.Read(CollectionsMarshal.AsSpan(received)).Close is null)
            Assert.True(await client.ReceiveAsync(received));
        // The server looks again every few milliseconds whether the client's system has all of it.
        await client.ReadAllAsync(received).WhileAsync(() =>
        {
            if (time.UntilNextTimer is { TotalMilliseconds: <= 5 } pause)
                time.Advance(pause);
        });
        Assert.Equal(1002, ServerFrames.Read(CollectionsMarshal.AsSpan(received)).Close);

        time.Advance(TimeSpan.FromSeconds(61));

        // A write after the reset fails, or the one after that.
        await Assert.ThrowsAsync<System.Net.Sockets.SocketException>(async () =>
        {
            for (var i = 0; i < 1_000_000; i++)
                await client.SendAsync("x"u8.ToArray());
        });
    }

    // The client sends, goes on and on, and only then reads.
    private static async Task<ServerFrames> TalkAsync(FrontEnd frontEnd, string path, params byte[][] frames)
    {
        await using var server = await LoopbackServer.StartAsync(frontEnd);
        List<byte> received = [];
        using var client = await server.OpenAsync(path, received);
        foreach (var frame in frames)
            await client.SendAsync(frame);
        for (var i = 0; i < 200; i++)
            await client.SendAsync(More);
        client.Complete();
        return ServerFrames.Read(CollectionsMarshal.AsSpan(await client.ReadAllAsync(received)));
    }

    private static async Task<string> AnswerAsync(
        FrontEnd frontEnd, (string Name, string Value)[] settings, string request, Func<LoopbackServer, Task<IDisposable>>? first = null)
    {
        await using var server = await LoopbackServer.StartAsync(frontEnd, settings);
        using var before = first is null ? null : await first(server);
        using var client = await server.ConnectAsync();
        await client.SendAsync(Encoding.Latin1.GetBytes(request));
        var head = await client.ReadHeadAsync([]);
        client.Complete();
        await client.ReadAllAsync([]);
        return head;
    }
}
