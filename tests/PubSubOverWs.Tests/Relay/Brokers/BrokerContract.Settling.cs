using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Brokers;

/// <content>What goes together, is settled once, is counted, and what is left when the server stops.</content>
public abstract partial class BrokerContract
{
    [Fact]
    public async Task A_list_is_taken_whole_or_refused_whole()
    {
        const int Count = 20;
        await using var started = await StartAsync();
        var client = await started.Server.SubscriberAsync("/queue/a");
        // More than 1 MiB together, which is more than any queue takes in one message.
        var large = Enumerable.Range(0, Count).Select(i => Text("/queue/a", $"{i}") with { Body = new byte[60_000] }).ToArray();

        if (await PublishOrNullAsync(started, large) is { } outcome)
        {
            Assert.Equal(PublishOutcome.Taken, outcome);
            for (var i = 0; i < Count; i++)
                Assert.Equal($"id-{i}", (await client.ReceiveAsync(StompCommand.Message)).Header("id"));
        }

        await started.RestAsync();
        await client.ExpectNothingAsync();
    }

    [Fact]
    public async Task Each_message_of_a_list_goes_its_way_and_the_worst_outcome_is_the_answer()
    {
        await using var started = await StartAsync();
        var client = await started.Server.SubscriberAsync("/queue/a");

        var outcome = await PublishAsync(started, Text("/queue/nobody", "1"), Text("/queue/a", "2"));

        await client.ReceiveMessageAsync("2");
        Assert.Equal(started.Broker.Keeps ? PublishOutcome.Taken : PublishOutcome.NoSubscriber, outcome);
        Assert.Equal(started.Broker.Keeps ? 0 : 1, started.Server.Meter.Drops["no-subscriber"]);
    }

    [Fact]
    public async Task A_message_written_to_a_client_without_acknowledgements_does_not_come_again()
    {
        await using var started = await StartAsync();
        var (client, next) = (await started.Server.ConnectAsync(), await started.Server.ConnectAsync());
        await client.SubscribeAsync("/queue/a", "1");
        await PublishAsync(started, Text("/queue/a", "m"));
        await client.ReceiveMessageAsync("m");
        await started.Server.RestAsync();
        await started.RestAsync();
        await client.LeaveAsync();

        await next.SubscribeAsync("/queue/a", "1");
        await next.ExpectNothingAsync();
        Assert.All(started.Server.Meter.Drops, drop => Assert.Equal(0, drop.Value));
    }

    [Fact]
    public async Task An_acknowledgement_that_comes_twice_or_is_taken_back_settles_once()
    {
        await using var started = await StartAsync();
        var (client, next) = (await started.Server.ConnectAsync(), await started.Server.ConnectAsync());
        await client.SubscribeAsync("/queue/a", "1", "ack:client-individual");
        await PublishAsync(started, Text("/queue/a", "1"));
        var first = await client.ReceiveMessageAsync("1");
        await PublishAsync(started, Text("/queue/a", "2"));
        await client.ReceiveMessageAsync("2");

        await client.AckAsync(first);
        await client.AckAsync(first);
        await client.NackAsync(first);
        await next.SubscribeAsync("/queue/a", "1");
        await client.LeaveAsync();

        // The other one is given back by leaving, and nothing else is.
        await next.ReceiveMessageAsync("2");
        await started.RestAsync();
        await next.ExpectNothingAsync();
        Assert.Equal(2, started.Server.Meter.Messages.LateAcks);
    }

    [Theory]
    [InlineData("1.2")]
    [InlineData("1.1")]
    [InlineData("1.0")]
    public async Task An_acknowledgement_that_comes_on_a_later_connection_settles_nothing(string version)
    {
        await using var started = await StartAsync();
        var (cut, other) = (await started.Server.ConnectAsync(version), await started.Server.ConnectAsync(version));
        await cut.SubscribeAsync("/queue/a", "1", "ack:client-individual");
        await PublishAsync(started, Text("/queue/a", "first"));
        var first = await cut.ReceiveMessageAsync("first");
        await other.SubscribeAsync("/queue/a", "1", "ack:client-individual", "prefetch-count:1");
        cut.Socket.Abort();
        await cut.SessionEnded;
        var again = await other.ReceiveMessageAsync("first");
        var back = await started.Server.ConnectAsync(version);
        await back.SubscribeAsync("/queue/a", "1", "ack:client-individual");
        await PublishAsync(started, Text("/queue/a", "second"));
        await back.ReceiveMessageAsync("second");
        await other.AckAsync(again);

        await back.SendAsync($"ACK\nid:{first.Header("ack")}\nmessage-id:{first.Header("message-id")}\nsubscription:1\nreceipt:late\n\n\0");

        Assert.Equal("late", (await back.ReceiveErrorAsync()).Header("receipt-id"));
        await other.ReceiveMessageAsync("second");
    }

    // The greatest that a session takes, by what its frames may take in the queue.
    [Theory]
    [InlineData(0xFF, 64 * 1024, "x")]
    [InlineData('t', 64 * 1024, "x")]
    [InlineData('t', 1, "\u0001\u001F\"\u00DF\u6771\uFFFE")]
    public async Task A_transaction_that_a_session_takes_is_taken_by_the_broker(byte body, int bytes, string note)
    {
        await using var started = await StartAsync(options => options.MaxTransactionFrames = 10_000);
        var client = await started.Server.SubscriberAsync("/queue/a");
        note = string.Concat(Enumerable.Repeat(note, 100));
        var (transaction, sizes) = (new Transaction(), new List<int>());
        for (var size = bytes; size > 0;)
        {
            if (transaction.Count(Of(sizes.Count, size), null) is null)
                size /= 2;
            else
                sizes.Add(size);
        }

        await client.AskAsync("BEGIN\ntransaction:t\n");
        for (var i = 0; i < sizes.Count; i++)
            await SendAsync(i, sizes[i]);
        await client.SendAsync("COMMIT\ntransaction:t\nreceipt:done\n\n\0");

        var (messages, outcome) = (0, "");
        while (messages < sizes.Count || outcome is "")
        {
            var frame = await client.ReceiveAsync();
            messages += frame.Command == StompCommand.Message ? 1 : 0;
            outcome = frame.Command == StompCommand.Receipt ? frame.Header("outcome")! : outcome;
            Assert.NotEqual(StompCommand.Error, frame.Command);
        }
        Assert.Equal("taken", outcome);

        // One more of the same is refused when it is sent, and not at COMMIT.
        await client.AskAsync("BEGIN\ntransaction:t\n");
        for (var i = 0; i < sizes.Count; i++)
            await SendAsync(i, sizes[i]);
        await SendAsync(sizes.Count, bytes);
        Assert.Contains($"{Transaction.MaxBytes} bytes", (await client.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);

        Message Of(int index, int size) => new($"{index:00000}", "/queue/a", [new("note", note)], new byte[size], IsText: false);

        Task SendAsync(int index, int size)
        {
            var head = Encoding.UTF8.GetBytes($"SEND\ndestination:/queue/a\nid:{index:00000}\nnote:{note}\ntransaction:t\n\n");
            return client.SendAsync([.. head, .. Enumerable.Repeat(body, size), 0], WebSocketMessageType.Binary);
        }
    }

    [Fact]
    public async Task Each_message_is_acknowledged_once_however_much_a_client_leaves_unsettled()
    {
        const int Count = 12;
        await using var started = await StartAsync();
        var (leaving, staying) = (await started.Server.ConnectAsync(), await started.Server.ConnectAsync());
        await leaving.SubscribeAsync("/queue/a", "1", "ack:client-individual", $"prefetch-count:{Count}");
        for (var i = 0; i < Count; i++)
            await PublishAsync(started, Text("/queue/a", $"{i}"));
        var acknowledged = new List<string>();
        for (var i = 0; i < Count; i++)
        {
            var message = await leaving.ReceiveAsync(StompCommand.Message);
            if (i % 3 != 0)
                continue;
            acknowledged.Add(message.Body);
            await leaving.SendAsync($"ACK\nid:{message.Header("ack")}\n\n\0");
        }

        await staying.SubscribeAsync("/queue/a", "1", "ack:client-individual", $"prefetch-count:{Count}");
        await leaving.LeaveAsync();
        while (acknowledged.Count < Count)
        {
            var message = await staying.ReceiveAsync(StompCommand.Message);
            acknowledged.Add(message.Body);
            await staying.SendAsync($"ACK\nid:{message.Header("ack")}\n\n\0");
        }

        Assert.Equal(Count, acknowledged.Distinct().Count());
        await started.RestAsync();
        await staying.ExpectNothingAsync();
        Assert.All(started.Server.Meter.Drops, drop => Assert.Equal(0, drop.Value));
    }

    [Fact]
    public async Task Messages_that_come_after_a_client_unsubscribed_go_to_the_others()
    {
        await using var started = await StartAsync();
        var (former, other) = (await started.Server.ConnectAsync(), await started.Server.ConnectAsync());
        await former.SubscribeAsync("/queue/a", "1");
        await former.SubscribeAsync("/topic/a", "2");
        await other.SubscribeAsync("/queue/a", "1");
        await other.SubscribeAsync("/topic/a", "2");
        await former.UnsubscribeAsync("1");
        await former.UnsubscribeAsync("2");

        await PublishAsync(started, Text("/queue/a", "1"));
        await other.ReceiveMessageAsync("1");
        await PublishAsync(started, Text("/topic/a", "2"));
        await other.ReceiveMessageAsync("2");

        await former.ExpectNothingAsync();
    }

    [Fact]
    public async Task A_destination_without_room_does_not_hold_up_another()
    {
        await using var started = await StartAsync();
        var client = await started.Server.SubscriberAsync("/queue/a", "ack:client", "prefetch-count:1");
        await client.SubscribeAsync("/queue/b", "2");

        await PublishAsync(started, Text("/queue/a", "1"));
        await client.ReceiveMessageAsync("1");
        await PublishAsync(started, Text("/queue/a", "2"));
        await PublishAsync(started, Text("/queue/b", "3"));

        await client.ReceiveMessageAsync("3");
    }

    [Fact]
    public async Task Room_that_is_reported_again_and_again_or_where_nothing_waits_delivers_nothing_twice()
    {
        await using var started = await StartAsync();
        started.Broker.RoomAt("/queue/nobody");
        var client = await started.Server.SubscriberAsync("/queue/a", "ack:client");
        await PublishAsync(started, Text("/queue/a", "m"));
        await client.ReceiveMessageAsync("m");

        for (var i = 0; i < 100; i++)
            started.Broker.RoomAt("/queue/a");

        await client.ExpectNothingAsync();
    }

    [Fact]
    public async Task The_counts_of_a_queue_are_those_of_the_messages_that_passed()
    {
        await using var started = await StartAsync();
        if (started.Broker.Queue is null)
            return;
        var client = await started.Server.SubscriberAsync("/queue/a", "ack:client-individual");
        await PublishAsync(started, Text("/queue/a", "m"));
        var message = await client.ReceiveMessageAsync("m");
        Assert.Equal(1, started.Broker.Queue.Held);

        await client.AckAsync(message);
        await started.RestAsync();
        await Waiting.UntilAsync(() => started.Broker.Queue.Deleted == 1);

        Assert.Equal((1, 1, 0), (started.Broker.Queue.Sent, started.Broker.Queue.Received, started.Broker.Queue.Held));
    }

    [Fact]
    public async Task Messages_of_a_stopping_server_come_to_the_next_or_are_counted()
    {
        await using var started = await StartAsync();
        var client = await started.Server.SubscriberAsync("/queue/a", "ack:client-individual", "prefetch-count:1");
        await PublishAsync(started, Text("/queue/a", "1"));
        await client.ReceiveMessageAsync("1");
        await PublishAsync(started, Text("/queue/a", "2"));

        var stop = started.NextAsync();
        await client.ReceiveCloseAsync();
        await using var next = await stop;

        if (next is null)
        {
            Assert.Equal(2, started.Broker.Buffered + started.Server.Meter.Drops.Values.Sum());
            return;
        }

        var late = await next.Server.ConnectAsync();
        await late.SendAsync("SUBSCRIBE\ndestination:/queue/a\nid:1\n\n\0");
        Assert.Equal(["1", "2"], (await ReceiveAsync(late, 2)).Order(StringComparer.Ordinal));
        await next.RestAsync();
        await late.ExpectNothingAsync();
    }

    [Fact]
    public async Task A_publish_after_the_end_has_an_outcome_and_one_that_is_refused_is_never_delivered()
    {
        await using var started = await StartAsync();
        await using var next = await started.NextAsync();

        var outcome = await PublishOrNullAsync(started, Text("/queue/a", "m"));

        if (next is null)
            return;
        Assert.Null(outcome);
        var client = await next.Server.SubscriberAsync("/queue/a");
        await next.RestAsync();
        await client.ExpectNothingAsync();
    }

    // Null: it was refused.
    private static async Task<PublishOutcome?> PublishOrNullAsync(StartedBroker started, params Message[] messages)
    {
        try
        {
            return await PublishAsync(started, messages);
        }
        catch (BrokerRefusedException refusal)
        {
            Assert.Contains("not taken", refusal.Message, StringComparison.Ordinal);
            return null;
        }
    }
}
