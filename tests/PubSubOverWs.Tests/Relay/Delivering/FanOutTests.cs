using System.Text;
using PubSubOverWs.DirectServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Delivering;

/// <summary>A topic's message on its way to many: what its copies share, and what each has of its own.</summary>
public sealed class FanOutTests
{
    private const int Messages = 101;

    /// <summary>
    /// Octet by octet: subscriptions to one destination that differ in version, acknowledgement and name, and in the number that a message
    /// has for them, which becomes longer on the way.
    /// </summary>
    [Fact]
    public async Task Each_copy_is_the_frame_of_its_own_subscription()
    {
        await using var server = RelayHarness.Direct();
        var publisher = await server.ConnectAsync();
        var readers = new[]
        {
            await Reader.OpenAsync(server, "1.0", "/topic/a:b", @"i:\d", "a:b c\\d e"),
            await Reader.OpenAsync(server, "1.1", @"/topic/a\cb", @"i\c\\d", @"a\cb\nc\\d e"),
            await Reader.OpenAsync(server, "1.2", @"/topic/a\cb", @"i\c\\d", @"a\cb\nc\\d\re"),
        };

        // Another reader comes later, and counts from 1.
        await PublishAsync(1, 60);
        List<Reader> all = [.. readers, await Reader.OpenAsync(server, "1.2", @"/topic/a\cb", "late", @"a\cb\nc\\d\re", before: 60)];
        await PublishAsync(61, Messages - 60);

        foreach (var reader in all)
            await reader.ExpectAllAsync(Messages);

        async Task PublishAsync(int first, int count)
        {
            for (var i = first; i < first + count; i++)
                await publisher.PublishAsync(@"/topic/a\cb", Body(i), $"id:{i}", @"note:a\cb\nc\\d\re", $"receipt:{i}");
            for (var i = first; i < first + count; i++)
                await publisher.ReceiveReceiptAsync($"{i}");
        }
    }

    /// <summary>One thread drains up to 32 outboxes that a publish filled, and threads of the pool the others.</summary>
    [Theory]
    [InlineData(31)]
    [InlineData(32)]
    [InlineData(33)]
    [InlineData(65)]
    [InlineData(100)]
    public async Task However_many_subscribe_each_gets_all_in_order_and_waits_for_no_other(int subscribers)
    {
        await using var server = RelayHarness.Direct();
        var publisher = await server.ConnectAsync();
        List<StompTestClient> clients = [];
        for (var i = 0; i < subscribers; i++)
        {
            clients.Add(await server.ConnectAsync());
            await clients[i].SubscribeAsync("/topic/a", "1");
        }
        await server.RestAsync();
        // The first of each part, which its thread drains first, and the last of all.
        var slow = clients.Where((_, i) => i % 32 == 0 || i == subscribers - 1).ToArray();
        Array.ForEach(slow, client => client.ServerTransport.Stall());

        for (var i = 0; i < 20; i++)
            await publisher.PublishAsync("/topic/a", $"{i}");

        foreach (var client in clients.Except(slow))
            await ExpectAllAsync(client);
        Array.ForEach(slow, client => client.ServerTransport.Resume());
        foreach (var client in slow)
            await ExpectAllAsync(client);

        static async Task ExpectAllAsync(StompTestClient client)
        {
            for (var i = 0; i < 20; i++)
                Assert.EndsWith($"-{i + 1}", (await client.ReceiveMessageAsync($"{i}")).Header("message-id"), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_subscriber_that_dies_while_a_message_is_on_its_way_costs_the_others_nothing(bool isWriting)
    {
        await using var server = RelayHarness.Direct();
        var publisher = await server.ConnectAsync();
        List<StompTestClient> clients = [];
        for (var i = 0; i < 40; i++)
        {
            clients.Add(await server.ConnectAsync());
            await clients[i].SubscribeAsync("/topic/a", "1");
        }
        await server.RestAsync();
        StompTestClient[] dying = [clients[0], clients[33]];
        foreach (var client in dying)
        {
            if (isWriting)
                client.ServerTransport.Stall();
            else
                client.ServerTransport.Break();
        }

        await publisher.PublishAsync("/topic/a", "first");
        foreach (var client in dying)
        {
            if (isWriting)
                await client.ServerTransport.WriteWaits.Patiently();
            client.ServerTransport.Dispose();
            await client.SessionEnded;
        }
        await publisher.PublishAsync("/topic/a", "second");

        foreach (var client in clients.Except(dying))
        {
            await client.ReceiveMessageAsync("first");
            await client.ReceiveMessageAsync("second");
        }
        Assert.Empty(server.Log.Errors);
    }

    [Fact]
    public async Task What_waits_for_a_subscription_that_ends_is_not_sent_and_the_numbers_of_others_on_its_connection_go_on()
    {
        await using var server = RelayHarness.Direct();
        var (publisher, client) = (await server.ConnectAsync(), await server.ConnectAsync());
        await client.SubscribeAsync("/topic/a", "ends");
        await client.SubscribeAsync("/topic/a", "stays", "ack:client");
        await server.RestAsync();
        client.ServerTransport.Stall();
        await publisher.PublishAsync("/topic/a", "0", "receipt:0");
        await client.ServerTransport.WriteWaits.Patiently();
        for (var i = 1; i <= 10; i++)
            await publisher.PublishAsync("/topic/a", $"{i}", $"receipt:{i}");
        for (var i = 0; i <= 10; i++)
            await publisher.ReceiveReceiptAsync($"{i}");
        await Waiting.UntilAsync(() => server.IdleOutboxes == 1);

        await client.SendAsync("UNSUBSCRIBE\nid:ends\nreceipt:done\n\n\0");
        await Waiting.UntilAsync(() => server.AnswersOwed > 0);
        client.ServerTransport.Resume();

        Assert.Equal("ends", (await client.ReceiveMessageAsync("0")).Header("subscription"));
        for (var i = 0; i <= 10; i++)
        {
            var message = await client.ReceiveMessageAsync($"{i}");
            Assert.Equal(("stays", message.Header("message-id")), (message.Header("subscription"), message.Header("ack")));
            Assert.EndsWith($"-2-{i + 1}", message.Header("ack"), StringComparison.Ordinal);
        }
        await client.ReceiveReceiptAsync("done");
    }

    [Theory]
    [InlineData(20, 4 << 20, 10)] // Frames would fill the outbox.
    [InlineData(1_000, 64 * 1024, 1_000)] // Bytes would.
    public async Task A_steady_publisher_never_fills_the_outbox_of_a_subscriber_that_reads(int outboxFrames, int outboxBytes, int bodyBytes)
    {
        using var allSent = new ManualResetEventSlim();
        await using var server = new RelayHarness(
            harness => new HeldUpBroker(new DirectBroker(harness.Subscriptions, harness.Meter), allSent),
            options => (options.OutboxFrames, options.OutboxBytes) = (outboxFrames, outboxBytes));
        var (publisher, subscriber) = (await server.ConnectAsync(), await server.ConnectAsync());
        await subscriber.SubscribeAsync("/queue/a", "1");
        await server.RestAsync();

        for (var i = 0; i < 500; i++)
            await publisher.PublishAsync("/queue/a", $"{i}".PadRight(bodyBytes));
        allSent.Set();

        for (var i = 0; i < 500; i++)
            await subscriber.ReceiveMessageAsync($"{i}".PadRight(bodyBytes));
        Assert.Equal(0, server.Meter.Drops["shed"]);
    }

    private static string Body(int i) => new('x', i);

    /// <summary>Three subscriptions of one connection to one destination, one for each way to acknowledge.</summary>
    /// <param name="client">Connected.</param>
    /// <param name="session">The name of its connection.</param>
    /// <param name="destination">As the client's version writes it; so are the others.</param>
    /// <param name="id">Of its subscriptions, before their numbers.</param>
    /// <param name="note">Of each message.</param>
    /// <param name="before">Messages before it subscribed.</param>
    private sealed class Reader(StompTestClient client, string session, string destination, string id, string note, int before)
    {
        private static readonly string[] Modes = ["auto", "client", "client-individual"];

        public static async Task<Reader> OpenAsync(
            RelayHarness server, string version, string destination, string id, string note, int before = 0)
        {
            var client = server.Open();
            await client.SendAsync($"CONNECT\naccept-version:{version}\nhost:test\n\n\0");
            var session = (await client.ReceiveAsync(StompCommand.Connected)).Header("session")!;
            for (var i = 0; i < Modes.Length; i++)
                await client.SubscribeAsync(destination, $"{id}{i}", $"ack:{Modes[i]}", "prefetch-count:1000");
            return new Reader(client, session, destination, id, note, before);
        }

        public async Task ExpectAllAsync(int messages)
        {
            for (var i = before + 1; i <= messages; i++)
            {
                for (var subscription = 1; subscription <= Modes.Length; subscription++)
                {
                    var number = i - before;
                    var ack = Modes[subscription - 1] == "auto" ? "" : $"ack:{session}-{subscription}-{number}\n";
                    Assert.Equal(
                        $"MESSAGE\ndestination:{destination}\nmessage-id:{session}-{subscription}-{number}\n"
                            + $"subscription:{id}{subscription - 1}\n{ack}id:{i}\nnote:{note}\ncontent-length:{i}\n\n{Body(i)}\0",
                        Encoding.UTF8.GetString((await client.ReceiveMessageAsync()).Bytes));
                }
            }
        }
    }

    /// <summary>Holds the publisher's thread at its first message until all are there to be read.</summary>
    private sealed class HeldUpBroker(IBroker broker, ManualResetEventSlim allSent) : IBroker
    {
        public string Name => broker.Name;
        public bool Keeps => broker.Keeps;
        public QueueStats? Queue => broker.Queue;

        public ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages)
        {
            allSent.Wait(TimeSpan.FromSeconds(30), CancellationToken.None);
            return broker.PublishAsync(messages);
        }

        public void RoomAt(string destination) => broker.RoomAt(destination);
    }
}
