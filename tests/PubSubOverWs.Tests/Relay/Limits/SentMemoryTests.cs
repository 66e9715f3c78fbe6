using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

/// <summary>Memory for data that clients send and the server has to keep.</summary>
public sealed class SentMemoryTests
{
    private const int Total = 1 << 22;

    [Fact]
    public async Task Receipts_and_destinations_of_a_transaction_count_as_its_messages_do()
    {
        await using var server = FakeBroker.Serve(out _);
        var (receipts, destinations) = (await BeganAsync(server, "t"), await BeganAsync(server, "t"));

        for (var i = 0; i < Transaction.MaxBytes / 8_000; i++)
        {
            await receipts.PublishAsync("/queue/a", "", "transaction:t", $"receipt:{new string('r', 4_000)}");
            await destinations.PublishAsync("/queue/" + new string('d', 4_000), "", "transaction:t");
        }

        var what = $"The transaction holds more than {Transaction.MaxBytes} bytes";
        Assert.StartsWith(what, (await receipts.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
        Assert.StartsWith(what, (await destinations.ReceiveErrorAsync()).Header("message"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Open_transactions_of_some_leave_room_for_those_of_others_and_all_of_it_is_given_back()
    {
        await using var server = FakeBroker.Serve(out var broker, options => options.SentBytesTotal = Total);
        for (var i = 0; i < 10; i++)
            Assert.Contains("Relay:SentBytesTotal", await FillTransactionsAsync(server), StringComparison.Ordinal);
        var greedy = await server.ConnectAsync();
        for (var t = 0; t < 4; t++)
            await FillTransactionAsync(greedy, $"{t}", 200_000);
        await greedy.ExpectNothingAsync();

        var modest = await BeganAsync(server, "t");
        for (var i = 0; i < 100; i++)
            await modest.PublishAsync("/queue/a", "small", "transaction:t", $"receipt:{i}");
        await modest.SendAsync("COMMIT\ntransaction:t\n\n\0");
        var publish = await broker.NextPublishAsync();
        Assert.Equal(100, publish.Messages.Count);
        // The greedy one's 48 frames; the publish counts once it is under way.
        Assert.InRange(server.SentTaken, 48 * 16_000, Total);
        publish.Take();
        for (var i = 0; i < 100; i++)
            await modest.ReceiveReceiptAsync($"{i}");

        await modest.LeaveAsync();
        await greedy.LeaveAsync();
        Assert.Equal(0, server.SentTaken);
    }

    [Fact]
    public async Task Publishes_under_way_are_bounded_in_bytes_and_the_socket_is_not_read_meanwhile()
    {
        const int count = 60, bodyBytes = 60_000;
        await using var server = FakeBroker.Serve(out var broker, options => options.SentBytesTotal = Total);
        var client = await server.ConnectAsync();
        var (underWay, most) = (0, 0);
        broker.OnPublish = _ => most = Math.Max(most, Interlocked.Increment(ref underWay));

        for (var i = 0; i < count; i++)
            await client.PublishAsync("/queue/a", new string('x', bodyBytes), $"receipt:{i}");
        var publishes = new Queue<FakePublish>();
        while (publishes.Count < Total / 4 / bodyBytes)
            publishes.Enqueue(await broker.NextPublishAsync());
        for (var i = 0; i < count; i++)
        {
            var publish = publishes.Count > 0 ? publishes.Dequeue() : await broker.NextPublishAsync();
            Interlocked.Decrement(ref underWay);
            publish.Take();
            await client.ReceiveReceiptAsync($"{i}");
        }

        Assert.InRange(most, Total / 4 / bodyBytes, (Total / 2 / bodyBytes) + 1);
        await client.LeaveAsync();
        Assert.Equal(0, server.SentTaken);
    }

    [Fact]
    public async Task Names_of_subscriptions_count()
    {
        await using var server = FakeBroker.Serve(out _, options => options.SentBytesTotal = Total);
        var client = await server.ConnectAsync();
        for (var i = 0; i < 100; i++)
            await client.SubscribeAsync($"/topic/{i}-{new string('d', 2_000)}", $"{i}-{new string('i', 2_000)}");
        Assert.InRange(server.SentTaken, 100 * 8_000, Total / 2);
        for (var i = 0; i < 100; i++)
            await client.UnsubscribeAsync($"{i}-{new string('i', 2_000)}");
        Assert.Equal(0, server.SentTaken);

        for (var i = 0; i < 300; i++)
            await client.SendAsync($"SUBSCRIBE\ndestination:/topic/{i}-{new string('d', 2_000)}\nid:{i}-{new string('i', 2_000)}\n\n\0");
        Assert.StartsWith(
            "The server has no more memory for your subscriptions", (await client.ReceiveErrorAsync()).Header("message"),
            StringComparison.Ordinal);
        Assert.Equal(0, server.SentTaken);
    }

    [Fact]
    public async Task Frames_of_which_a_part_is_missing_are_bounded_together_and_all_come_through_once_they_are_complete()
    {
        const int count = 40, part = 40_000;
        await using var server = FakeBroker.Serve(out var broker, options => options.SentBytesTotal = Total);
        List<StompTestClient> clients = [];
        for (var i = 0; i < count; i++)
        {
            clients.Add(await server.ConnectAsync());
            await clients[i].SendAsync($"SEND\ndestination:/queue/a\n\n{new string('x', part)}");
        }
        await Waiting.UntilAsync(() => server.SentTaken >= Total / 2);
        // The clock must not run past Relay:SlowConsumerTimeout while a thread is still about to note that an answer has left.
        await server.RestAsync();
        server.Advance(TimeSpan.FromSeconds(5));
        Assert.InRange(server.SentTaken, Total / 2, Total);

        foreach (var client in clients)
            await client.SendAsync("\0");
        for (var i = 0; i < count; i++)
        {
            var publish = await broker.NextPublishAsync().WhileAsync(() => server.Advance(SessionClock.Period));
            publish.Take();
        }
    }

    private static async Task<StompTestClient> BeganAsync(RelayHarness server, string transaction)
    {
        var client = await server.ConnectAsync();
        await client.AskAsync($"BEGIN\ntransaction:{transaction}\n");
        return client;
    }

    /// <summary>As many transactions as it may have, each as large as it may be. Returns the ERROR's message.</summary>
    private static async Task<string?> FillTransactionsAsync(RelayHarness server)
    {
        var client = await server.ConnectAsync();
        for (var t = 0; t < server.Options.MaxTransactions; t++)
            await FillTransactionAsync(client, $"{t}", Transaction.MaxBytes - 50_000);
        var error = await client.ReceiveErrorAsync();
        return error.Header("message");
    }

    private static async Task FillTransactionAsync(StompTestClient client, string name, int bytes)
    {
        await client.SendAsync($"BEGIN\ntransaction:{name}\n\n\0");
        for (var i = 0; i < bytes / 16_000; i++)
            await client.PublishAsync("/queue/" + new string('d', 4_000), "", $"transaction:{name}", $"receipt:{new string('r', 3_900)}");
    }
}
