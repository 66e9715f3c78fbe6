using System.Globalization;
using System.Net.WebSockets;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>Whatever some clients do, the others get everything: of queues of their own, and of a topic that all subscribe to.</summary>
public sealed class MisbehavingClientsTests
{
    private const int Messages = 200;
    private const string Topic = "/topic/all";
    private const long MaxBytes = 64 << 20;

    /// <summary>The fault of a misbehaving client.</summary>
    public enum Fault
    {
        NeverAcknowledges,
        RejectsForEver,
        ReadsNothing,
        SubscribesAThousandTimes,
        LeavesWithAThousandSubscriptions,
        CommitsAndReadsNothing,
    }

    [Theory]
    [InlineData(1, Fault.NeverAcknowledges, 12)]
    [InlineData(2, Fault.RejectsForEver, 12)]
    [InlineData(3, Fault.ReadsNothing, 12)]
    [InlineData(4, Fault.SubscribesAThousandTimes, 4)]
    [InlineData(8, Fault.LeavesWithAThousandSubscriptions, 4)]
    [InlineData(9, Fault.CommitsAndReadsNothing, 12)]
    public Task Misbehaving_clients_of_one_kind_stop_no_other(int seed, Fault fault, int clients) =>
        StopNoOtherAsync(seed, [.. Enumerable.Repeat(fault, clients)]);

    [Theory]
    [InlineData(5)]
    [InlineData(6)]
    [InlineData(7)]
    public Task Misbehaving_clients_of_all_kinds_together_stop_no_other(int seed)
    {
        var random = new Random(seed);
        return StopNoOtherAsync(seed, [.. Enumerable.Range(0, 16).Select(_ => (Fault)random.Next(Enum.GetValues<Fault>().Length))]);
    }

    [Theory]
    [InlineData("/queue/bad-{0}")]
    [InlineData("/queue/bad")]
    public async Task Forty_clients_that_in_turn_take_all_they_can_stop_no_other(string queues)
    {
        await using var server = Serve();
        List<Task> silent = [];
        for (var i = 0; i < 40; i++)
        {
            var queue = string.Format(CultureInfo.InvariantCulture, queues, i);
            silent.Add(await MisbehaveAsync(server, Fault.NeverAcknowledges, queue));
            for (var n = 0; n < Messages; n++)
                server.Queue.Send(Sample.Message($"bad-{i}-{n}", queue));
            server.Pump();
        }
        var good = await BehaveAsync(server);
        await EveryoneElseGetsAllAsync(server, good, silent);
    }

    [Fact]
    public async Task At_one_queue_the_client_after_forty_silent_ones_gets_all_that_these_do_not_have()
    {
        await using var server = Serve();
        List<Task> silent = [];
        for (var i = 0; i < 40; i++)
        {
            silent.Add(await MisbehaveAsync(server, Fault.NeverAcknowledges, "/queue/shared"));
            for (var n = 0; n < 50; n++)
                server.Queue.Send(Sample.Message($"{i}-{n}", "/queue/shared"));
            server.Pump();
        }
        var good = await server.Relay.ConnectAsync();
        await good.SubscribeAsync("/queue/shared", "q", "ack:client-individual");

        // Of 2,000; half and a quarter of the 1,000 in flight is all that clients may have.
        var got = 0;
        await server.PumpUntilAsync(ReadAsync(good, _ => ++got == 1_250));
        await EndAsync(server, silent);
    }

    [Fact]
    public async Task A_dozen_clients_that_acknowledge_no_large_message_do_not_fill_the_memory_for_received_messages()
    {
        await using var server = Serve(MaxBytes);
        List<Task> silent = [];
        for (var i = 0; i < 12; i++)
            silent.Add(await MisbehaveAsync(server, Fault.NeverAcknowledges, $"/queue/bad-{i}"));
        var good = await BehaveAsync(server);
        // 120 of 600 KiB are more than all the memory.
        var body = new string('x', 600 << 10);
        for (var i = 0; i < 120; i++)
            server.Queue.Send(Sample.Message($"bad-{i}", $"/queue/bad-{i % 12}", body));
        await EveryoneElseGetsAllAsync(server, good, silent);
    }

    [Theory]
    [InlineData("ack:auto", true)]
    [InlineData("ack:auto", false)]
    [InlineData("ack:client-individual", true)]
    [InlineData("ack:client-individual", false)]
    public async Task A_client_that_keeps_a_small_part_of_large_transactions_does_not_fill_the_memory_for_received_messages(
        string ack, bool isFirst)
    {
        await using var server = Serve(MaxBytes);
        var silent = await MisbehaveAsync(server, Fault.NeverAcknowledges, "/queue/bad");
        var other = await server.Relay.ConnectAsync();
        await other.SubscribeAsync("/queue/large", "q", ack);
        var good = await BehaveAsync(server);
        // 900 KiB each: 100 of them are more than all the memory.
        var body = new string('x', 60 << 10);
        for (var i = 0; i < 100; i++)
        {
            var bad = Sample.Message($"bad-{i}", "/queue/bad");
            var parts = Enumerable.Range(0, 15).Select(part => Sample.Message($"large-{i}-{part}", "/queue/large", body));
            server.Queue.Send(isFirst ? [bad, .. parts] : [.. parts, bad]);
        }
        var large = 0;
        await server.PumpUntilAsync(ReadAsync(other, _ => ++large == 1_500));
        await EveryoneElseGetsAllAsync(server, good, [silent]);
    }

    private static async Task<StompTestClient> BehaveAsync(DispatchingServer server)
    {
        var client = await server.Relay.ConnectAsync();
        await client.SubscribeAsync("/queue/good-0", "q", "ack:client-individual");
        await client.SubscribeAsync(Topic, "t", "ack:client-individual");
        return client;
    }

    private static async Task EveryoneElseGetsAllAsync(DispatchingServer server, StompTestClient good, IReadOnlyList<Task> misbehaving)
    {
        for (var i = 0; i < Messages; i++)
        {
            server.Queue.Send(Sample.Message($"good-0-{i}", "/queue/good-0"));
            server.Queue.Send(Sample.Message($"topic-{i}", Topic));
        }
        await server.PumpUntilAsync(GetEverythingAsync(good, "good-0"));
        await EndAsync(server, misbehaving);
    }

    private static async Task StopNoOtherAsync(int seed, Fault[] faults)
    {
        await using var server = Serve();
        var random = new Random(seed);
        List<Task> misbehaving = [];
        for (var i = 0; i < faults.Length; i++)
            misbehaving.Add(await MisbehaveAsync(server, faults[i], $"/queue/bad-{i}"));
        string[][] modes = [["ack:auto"], ["ack:client-individual"], ["ack:client", "prefetch-count:1"]];
        List<StompTestClient> good = [];
        foreach (var mode in modes)
        {
            good.Add(await server.Relay.ConnectAsync());
            await good[^1].SubscribeAsync($"/queue/good-{good.Count - 1}", "q", mode);
            await good[^1].SubscribeAsync(Topic, "t", mode);
        }
        Message[] messages =
        [
            .. Enumerable.Range(0, faults.Length)
                .SelectMany(i => Enumerable.Range(0, Messages).Select(n => Sample.Message($"bad-{i}-{n}", $"/queue/bad-{i}"))),
            .. Enumerable.Range(0, good.Count)
                .SelectMany(i => Enumerable.Range(0, Messages).Select(n => Sample.Message($"good-{i}-{n}", $"/queue/good-{i}"))),
            .. Enumerable.Range(0, Messages).Select(n => Sample.Message($"topic-{n}", Topic)),
        ];
        random.Shuffle(messages);
        foreach (var message in messages)
            server.Queue.Send(message);

        await server.PumpUntilAsync(Task.WhenAll(good.Select((client, i) => GetEverythingAsync(client, $"good-{i}"))));
        await EndAsync(server, misbehaving);
    }

    // Small bounds, which a few clients can reach: 1,000 in flight, 500 of them with clients.
    private static DispatchingServer Serve(long maxBytes = 256 << 20) => new(
        options => options.MaxPrefetch = 100_000,
        new QueueBrokerOptions { MaxInFlight = 1_000, MaxInFlightBytes = maxBytes, HeldMessages = 500 });

    private static async Task GetEverythingAsync(StompTestClient client, string queue)
    {
        var left = Enumerable.Range(0, Messages).SelectMany(i => new[] { $"{queue}-{i}", $"topic-{i}" }).ToHashSet();
        await ReadAsync(client, id => left.Remove(id) && left.Count == 0);
    }

    private static async Task ReadAsync(StompTestClient client, Func<string, bool> isAll)
    {
        while (true)
        {
            var message = await client.ReceiveAsync(StompCommand.Message);
            Assert.Null(message.Header("missed"));
            if (message.Header("ack") is { } ack)
                await client.SendAsync($"ACK\nid:{ack}\n\n\0");
            if (isAll(message.Header("id")!))
                return;
        }
    }

    private static async Task<Task> MisbehaveAsync(DispatchingServer server, Fault fault, string queue)
    {
        var client = await server.Relay.ConnectAsync();
        await client.SubscribeAsync(Topic, "t", "ack:client");
        var subscriptions = fault is Fault.SubscribesAThousandTimes or Fault.LeavesWithAThousandSubscriptions ? 999 : 1;
        for (var i = 0; i < subscriptions; i++)
            await client.SubscribeAsync(
                queue, i.ToString(CultureInfo.InvariantCulture), fault == Fault.ReadsNothing ? "ack:auto" : "ack:client-individual",
                "prefetch-count:100000");
        if (fault is Fault.ReadsNothing or Fault.CommitsAndReadsNothing)
            client.ServerTransport.Stall();
        if (fault == Fault.CommitsAndReadsNothing)
            return CommitAsync(client);
        return fault == Fault.ReadsNothing ? Task.CompletedTask : ReadForEverAsync(client, fault);
    }

    // Its receipts take as much as a transaction may, and none is read.
    private static async Task CommitAsync(StompTestClient client)
    {
        var receipt = new string('r', 3_000);
        await client.SendAsync("BEGIN\ntransaction:t\n\n\0");
        for (var i = 0; i < 320; i++)
            await client.SendAsync($"SEND\ndestination:/topic/none\ntransaction:t\nreceipt:{receipt}\n\n\0");
        await client.SendAsync("COMMIT\ntransaction:t\n\n\0");
    }

    private static async Task ReadForEverAsync(StompTestClient client, Fault fault)
    {
        try
        {
            if (fault == Fault.LeavesWithAThousandSubscriptions && await client.ReceiveAsync(StompCommand.Message) is not null)
                await client.SendAsync("DISCONNECT\n\n\0");
            while (true)
            {
                if (fault != Fault.RejectsForEver)
                    await client.Socket.ReceiveAsync(new byte[64 * 1024], CancellationToken.None);
                else if (await client.ReceiveAsync(StompCommand.Message) is var message)
                    await client.SendAsync($"NACK\nid:{message.Header("ack")}\n\n\0");
            }
        }
        catch (Exception exception) when (exception is WebSocketException or IOException)
        {
            // The server is gone.
        }
    }

    private static async Task EndAsync(DispatchingServer server, IEnumerable<Task> misbehaving)
    {
        await server.Relay.DisposeAsync();
        await Task.WhenAll(misbehaving);
    }
}
