using System.Text;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Sessions;

public sealed class PublishTests
{
    private const string Fifty = "01234567890123456789012345678901234567890123456789";

    private static readonly string[] _all = ["", "a:1", "b:2", "a:1 b:2", "b:2 a:1", "a:1 b:3", "a:2 b:2", "a:1 b:2 c:3", "ä:ö", "ä:o"];

    private readonly StompReader _reader = new(new StompLimits());
    private MessageHeaders _headers;

    public static TheoryData<string> Heads => [.. _all];

    [Fact]
    public async Task A_message_carries_the_headers_that_the_sender_added_and_no_protocol_headers_of_the_send()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.ConnectAsync();
        await client.SubscribeAsync("/queue/a", "mine");

        await client.SendAsync(
            "SEND\ndestination:/queue/a\nid:app-1\ncontent-type:text/plain\ncolour:blue\\cgreen\ncolour:red\nempty:\n"
            + "message-id:x\nsubscription:x\nack:x\nredelivered:x\nreceipt:r\ncontent-length:4\n\nbody\0");

        var message = await client.ReceiveAsync(StompCommand.Message);
        Assert.Equal(
            [
                ("destination", "/queue/a"), ("message-id", message.Header("message-id")!), ("subscription", "mine"), ("id", "app-1"),
                ("content-type", "text/plain"), ("colour", "blue:green"), ("empty", ""), ("content-length", "4"),
            ],
            message.Headers);
        Assert.Equal("body", message.Body);
        Assert.Equal("taken", await client.ReceiveReceiptAsync("r"));
    }

    [Fact]
    public async Task A_message_without_an_id_gets_one_of_its_own()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.SubscriberAsync("/queue/a");
        HashSet<string?> ids = [];

        for (var i = 0; i < 3; i++)
        {
            await client.PublishAsync("/queue/a", "body");
            ids.Add((await client.ReceiveAsync(StompCommand.Message)).Header("id"));
        }

        Assert.Equal(3, ids.Count);
        Assert.DoesNotContain(null, ids);
    }

    [Theory]
    [InlineData(PublishOutcome.Taken, "taken")]
    [InlineData(PublishOutcome.NoSubscriber, "no-subscriber")]
    [InlineData(PublishOutcome.Shed, "shed")]
    public async Task A_receipt_comes_with_the_outcome_and_not_before(PublishOutcome outcome, string told)
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();

        await client.PublishAsync("/queue/a", "body", "receipt:mine");
        var publish = await broker.NextPublishAsync();
        await client.ExpectNothingAsync();
        publish.Take(outcome);

        Assert.Equal(told, await client.ReceiveReceiptAsync("mine"));
    }

    [Fact]
    public async Task Receipts_come_in_the_order_of_the_outcomes()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        await client.PublishAsync("/queue/a", "1", "receipt:1");
        await client.PublishAsync("/queue/a", "2", "receipt:2");
        var (first, second) = (await broker.NextPublishAsync(), await broker.NextPublishAsync());

        second.Take();
        await client.ReceiveReceiptAsync("2");
        first.Take();
        await client.ReceiveReceiptAsync("1");
    }

    [Fact]
    public async Task Many_refusals_are_one_error_with_the_reason()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();
        client.ServerTransport.Stall();
        for (var i = 0; i < 3; i++)
            await client.PublishAsync("/queue/a", "body", $"receipt:{i}");

        // All of them first: the first refusal ends the session.
        FakePublish[] publishes = [await broker.NextPublishAsync(), await broker.NextPublishAsync(), await broker.NextPublishAsync()];
        foreach (var publish in publishes)
            publish.Refuse("The queue is away: try again later.");
        client.ServerTransport.Resume();

        Assert.Equal("The queue is away: try again later.", (await client.ReceiveErrorAsync()).Header("message"));
    }

    [Fact]
    public async Task A_broker_that_fails_in_a_way_it_must_not_costs_the_connection_and_a_log_line()
    {
        await using var server = FakeBroker.Serve(out var broker);
        var client = await server.ConnectAsync();

        await client.PublishAsync("/queue/a", "body", "receipt:mine");
        (await broker.NextPublishAsync()).Fail(new InvalidOperationException("A bug."));

        await client.SessionEnded;
        Assert.Contains("A bug.", Assert.Single(server.Log.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Messages_in_and_out_are_counted()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.SubscriberAsync("/topic/a");
        await client.SubscribeAsync("/topic/a", "2");

        await client.PublishAsync("/topic/a", "body");
        await client.ReceiveMessageAsync("body");
        await client.ReceiveMessageAsync("body");
        await client.LeaveAsync();

        Assert.Equal(new MessageStats(In: 1, Out: 2, LateAcks: 0), server.Meter.Messages);
    }

    [Theory]
    [MemberData(nameof(Heads))]
    public void A_message_has_the_headers_of_its_own_frame_whatever_those_of_the_last_were(string head)
    {
        foreach (var other in _all.Where(other => other != head))
        {
            Read(other);

            Assert.Equal(head, Text(Read(head)));
            Assert.Equal(head, Text(Read(head)));
        }
    }

    [Fact]
    public void Headers_that_come_again_are_not_created_again()
    {
        var first = Read("reply-to:/topic/me content-type:text/plain");

        Assert.Same(first, Read("reply-to:/topic/me content-type:text/plain"));
    }

    [Theory]
    [InlineData("a:" + Fifty + " b:" + Fifty + " c:" + Fifty)]
    [InlineData("a:1 b:2 c:3 d:4 e:5")]
    public void Long_and_many_headers_are_not_kept(string head)
    {
        var first = Read(head);

        Assert.NotSame(first, Read(head));
    }

    [Theory]
    [InlineData("a:1 a:2 b:3 b:3", "a:1 b:3")]
    [InlineData("destination:/queue/x a:1 receipt:7 id:8 ack:9", "a:1")]
    public void Repeated_headers_and_those_of_the_protocol_are_not_shown(string head, string shown)
    {
        Assert.Equal(shown, Text(Read(head)));
        Assert.Equal(shown, Text(Read(head)));
    }

    [Fact]
    public async Task No_more_publishes_are_under_way_than_the_window_holds_and_the_socket_is_not_read_meanwhile()
    {
        const int window = 8, total = 200, bodyBytes = 4000;
        await using var server = FakeBroker.Serve(out var broker, options => options.PublishesUnderWay = window);
        var client = await server.ConnectAsync();
        var (underWay, maxUnderWay, mostAhead, published) = (0, 0, 0L, 0);
        broker.OnPublish = _ =>
        {
            maxUnderWay = Math.Max(maxUnderWay, Interlocked.Increment(ref underWay));
            mostAhead = Math.Max(mostAhead, client.ServerTransport.BytesRead - ++published * (long)bodyBytes);
        };

        for (var i = 0; i < total; i++)
            await client.PublishAsync("/queue/a", new string('x', bodyBytes), $"receipt:{i}");
        for (var i = 0; i < total; i++)
        {
            var publish = await broker.NextPublishAsync();
            Interlocked.Decrement(ref underWay);
            publish.Take();
            await client.ReceiveReceiptAsync($"{i}");
        }

        Assert.Equal(window, maxUnderWay);
        Assert.InRange(mostAhead, 0, 2 * bodyBytes + total * 100);
    }

    [Fact]
    public async Task No_outcome_is_miscounted_when_many_threads_complete_while_one_starts()
    {
        var window = new PublishWindow(64, new MemoryReservation(new MemoryBudget(1 << 22)));
        var told = 0;
        for (var i = 0; i < 20_000; i++)
        {
            while (window.IsFull)
                await window.RoomAsync().Patiently();
            ThreadPool.UnsafeQueueUserWorkItem(static publish => publish.Take(), Start(), preferLocal: false);
        }
        await window.IdleAsync().Patiently();

        Assert.Equal(20_000, told);
        for (var i = 0; i < 64; i++)
        {
            Assert.False(window.IsFull);
            Start();
        }
        Assert.True(window.IsFull);

        FakePublish Start()
        {
            var publish = new FakePublish([]);
            window.Start(publish.Outcome, 100, _ => Interlocked.Increment(ref told), Unexpected, Unexpected);
            return publish;
        }
    }

    private KeyValuePair<string, string>[] Read(string head)
    {
        var lines = head.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(line => $"{line}\n");
        var bytes = Encoding.UTF8.GetBytes($"SEND\n{string.Concat(lines)}\n\0");
        Assert.True(_reader.TryRead(bytes, out var frame, out _));
        return _headers.Read(frame);
    }

    private static string Text(IEnumerable<KeyValuePair<string, string>> headers) =>
        string.Join(' ', headers.Select(header => $"{header.Key}:{header.Value}"));

    private static void Unexpected(Exception exception) => Assert.Fail(exception.Message);
}
