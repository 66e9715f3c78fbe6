using System.Text;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.Relay.Brokers;

/// <summary>
/// What <see cref="IBroker"/> promises, as its clients see it: real sessions over connections in memory. The tests of a new broker derive
/// from this, and say how the broker is started.
/// </summary>
public abstract partial class BrokerContract
{
    private protected abstract Task<StartedBroker> StartAsync(Action<RelayOptions>? configure = null);

    [Fact]
    public async Task A_broker_has_the_name_of_an_arm()
    {
        await using var started = await StartAsync();
        Assert.Matches("^[a-z][a-z0-9-]*$", started.Broker.Name);
    }

    [Theory]
    [InlineData("/queue/a")]
    [InlineData("/topic/a")]
    public async Task A_message_that_was_taken_comes_with_its_id_headers_and_body_unchanged(string destination)
    {
        await using var started = await StartAsync();
        var client = await started.Server.SubscriberAsync(destination);
        var message = new Message("id-1", destination, [new("colour", "green"), new("a:b", "c\\d")], Encoding.UTF8.GetBytes("Grüße"),
            IsText: true);

        Assert.Equal(PublishOutcome.Taken, await PublishAsync(started, message));

        var frame = await client.ReceiveAsync(StompCommand.Message);
        Assert.Equal(Encoding.UTF8.GetBytes("Grüße"), BytesOf(frame));
        Assert.Equal(("id-1", "green", "c\\d"), (frame.Header("id"), frame.Header("colour"), frame.Header("a:b")));
        Assert.Null(frame.Header("redelivered"));
    }

    [Fact]
    public async Task Bytes_that_are_not_text_come_unchanged()
    {
        await using var started = await StartAsync();
        var client = await started.Server.SubscriberAsync("/queue/a");
        byte[] body = [.. Enumerable.Range(0, 256).Select(value => (byte)value)];

        await PublishAsync(started, new Message("id-1", "/queue/a", [], body, IsText: false));

        Assert.Equal(body, BytesOf(await client.ReceiveAsync(StompCommand.Message)));
    }

    [Fact]
    public async Task Publishes_that_are_under_way_together_all_come_and_each_once()
    {
        const int Count = 100;
        await using var started = await StartAsync();
        var client = await started.Server.SubscriberAsync("/queue/a");

        var outcomes = await Task.WhenAll(
            Enumerable.Range(0, Count).Select(i => Task.Run(() => PublishAsync(started, Text("/queue/a", $"{i}"))))).Patiently();

        Assert.All(outcomes, outcome => Assert.Equal(PublishOutcome.Taken, outcome));
        Assert.Equal(
            Enumerable.Range(0, Count).Select(i => $"{i}").Order(StringComparer.Ordinal),
            (await ReceiveAsync(client, Count)).Order(StringComparer.Ordinal));
        await started.RestAsync();
        await client.ExpectNothingAsync();
    }

    [Fact]
    public async Task A_topics_message_comes_once_to_each_subscriber()
    {
        await using var started = await StartAsync();
        var (one, other) = (await started.Server.ConnectAsync(), await started.Server.ConnectAsync());
        await one.SubscribeAsync("/topic/a", "1");
        await other.SubscribeAsync("/topic/a", "1");

        await PublishAsync(started, Text("/topic/a", "m"));

        await one.ReceiveMessageAsync("m");
        await other.ReceiveMessageAsync("m");
        await started.RestAsync();
        await one.ExpectNothingAsync();
        await other.ExpectNothingAsync();
    }

    [Fact]
    public async Task A_queues_message_comes_to_one_subscriber()
    {
        const int Count = 20;
        await using var started = await StartAsync();
        var (one, other) = (await started.Server.ConnectAsync(), await started.Server.ConnectAsync());
        await one.SubscribeAsync("/queue/a", "1", "ack:client", "prefetch-count:10");
        await other.SubscribeAsync("/queue/a", "1", "ack:client", "prefetch-count:10");

        for (var i = 0; i < Count; i++)
            await PublishAsync(started, Text("/queue/a", $"{i}"));

        // Each has room for half of them: what came twice would leave another out.
        string[] came = [.. await ReceiveAsync(one, Count / 2), .. await ReceiveAsync(other, Count / 2)];
        Assert.Equal(Count, came.Distinct().Count());
    }

    [Fact]
    public async Task A_message_that_a_client_refused_comes_again_and_is_marked()
    {
        await using var started = await StartAsync();
        var client = await started.Server.SubscriberAsync("/queue/a", "ack:client-individual");
        await PublishAsync(started, Text("/queue/a", "m"));

        var again = await RefuseAsync(started, client, await client.ReceiveMessageAsync("m"));

        Assert.Equal(("id-m", "true"), (again.Header("id"), again.Header("redelivered")));
    }

    [Fact]
    public async Task A_message_that_every_client_refuses_comes_a_limited_number_of_times()
    {
        await using var started = await StartAsync();
        var client = await started.Server.SubscriberAsync("/queue/a", "ack:client-individual");
        await PublishAsync(started, Text("/queue/a", "m"));

        var message = await client.ReceiveMessageAsync("m");
        for (var delivered = 1; delivered < started.MaxDeliveries; delivered++)
            message = await RefuseAsync(started, client, message);
        await client.NackAsync(message);

        await started.RestAsync();
        await client.ExpectNothingAsync();
    }

    [Fact]
    public async Task A_message_that_a_client_had_not_acknowledged_when_it_left_comes_to_the_next()
    {
        await using var started = await StartAsync();
        var (first, next) = (await started.Server.ConnectAsync(), await started.Server.ConnectAsync());
        await first.SubscribeAsync("/queue/a", "1", "ack:client");
        await PublishAsync(started, Text("/queue/a", "m"));
        await first.ReceiveMessageAsync("m");
        await next.SubscribeAsync("/queue/a", "1", "ack:client");

        await first.LeaveAsync();

        Assert.Equal("true", (await next.ReceiveMessageAsync("m")).Header("redelivered"));
    }

    [Fact]
    public async Task A_message_for_a_queue_without_a_subscriber_is_kept_or_counted_as_gone()
    {
        await using var started = await StartAsync();
        var outcome = await PublishAsync(started, Text("/queue/a", "m"));
        Assert.Equal(started.KeepsInMemory ? 1 : 0, started.Broker.Buffered);

        var client = await started.Server.ConnectAsync();
        await client.SendAsync("SUBSCRIBE\ndestination:/queue/a\nid:1\n\n\0");

        if (started.Broker.Keeps)
        {
            Assert.Equal(PublishOutcome.Taken, outcome);
            await client.ReceiveMessageAsync("m");
        }
        else
        {
            Assert.Equal((PublishOutcome.NoSubscriber, 1), (outcome, started.Server.Meter.Drops["no-subscriber"]));
            await client.ExpectNothingAsync();
        }
        await started.RestAsync();
        Assert.Equal(0, started.Broker.Buffered);
    }

    [Fact]
    public async Task A_message_for_a_topic_without_a_subscriber_is_counted_as_gone()
    {
        await using var started = await StartAsync();
        await PublishAsync(started, Text("/topic/a", "m"));
        await Waiting.UntilAsync(() => started.Server.Meter.Drops["no-subscriber"] == 1);

        var client = await started.Server.SubscriberAsync("/topic/a");
        await client.ExpectNothingAsync();
    }

    [Fact]
    public async Task A_message_without_room_comes_when_there_is_room_or_is_shed_and_counted()
    {
        await using var started = await StartAsync();
        var client = await started.Server.SubscriberAsync("/queue/a", "ack:client-individual", "prefetch-count:1");
        await PublishAsync(started, Text("/queue/a", "1"));
        var first = await client.ReceiveMessageAsync("1");

        var outcome = await PublishAsync(started, Text("/queue/a", "2"));

        if (started.Broker.Keeps)
        {
            Assert.Equal(PublishOutcome.Taken, outcome);
            await client.SendAsync($"ACK\nid:{first.Header("ack")}\n\n\0");
            await client.ReceiveMessageAsync("2");
        }
        else
        {
            Assert.Equal((PublishOutcome.Shed, 1), (outcome, started.Server.Meter.Drops["shed"]));
            await client.AckAsync(first);
            await client.ExpectNothingAsync();
        }
    }

    private static Message Text(string destination, string body) =>
        new($"id-{body}", destination, [], Encoding.UTF8.GetBytes(body), IsText: true);

    // The message comes again before the receipt, or after a rest.
    private static async Task<PlainFrame> RefuseAsync(StartedBroker started, StompTestClient client, PlainFrame message)
    {
        await client.SendAsync($"NACK\nid:{message.Header("ack")}\nreceipt:refused\n\n\0");
        var first = await client.ReceiveAsync();
        if (first.Command == StompCommand.Receipt)
        {
            started.PassRest();
            return await client.ReceiveMessageAsync(message.Body);
        }

        await client.ReceiveReceiptAsync("refused");
        return first;
    }

    private static byte[] BytesOf(PlainFrame frame) => Encoding.Latin1.GetBytes(frame.Body);

    private static Task<PublishOutcome> PublishAsync(StartedBroker started, params Message[] messages) =>
        started.Broker.PublishAsync(messages).AsTask().Patiently();

    private static async Task<IReadOnlyList<string>> ReceiveAsync(StompTestClient client, int count)
    {
        var came = new List<string>();
        while (came.Count < count)
            came.Add((await client.ReceiveAsync(StompCommand.Message)).Body);
        return came;
    }
}

/// <summary>A relay with its broker, to be held against <see cref="BrokerContract"/>.</summary>
/// <param name="server">The relay.</param>
/// <param name="mostDeliveries">After so many a message that is always refused ends.</param>
internal sealed class StartedBroker(RelayHarness server, int mostDeliveries) : IAsyncDisposable
{
    private bool _hasStopped;

    public RelayHarness Server => server;

    public IBroker Broker => server.Broker;

    public int MaxDeliveries => mostDeliveries;

    /// <summary>Messages without a taker wait in this process alone.</summary>
    public bool KeepsInMemory { get; init; }

    /// <summary>Lets the time pass after which what was refused is offered again.</summary>
    public Action PassRest { get; init; } = () => { };

    /// <summary>Completes when nothing is left of what was settled.</summary>
    public Func<Task> RestAsync { get; init; } = () => Task.CompletedTask;

    /// <summary>Ends the relay and its broker.</summary>
    public Func<Task> EndAsync { get; init; } = () => server.DisposeAsync().AsTask();

    /// <summary>Stops the server as its host does, and starts the next with what it left. Null: it leaves nothing.</summary>
    public Func<Task<StartedBroker?>> StopAsync { get; init; } = async () =>
    {
        await server.Shutdown.StoppingAsync(CancellationToken.None).Patiently();
        await server.DisposeAsync();
        return null;
    };

    /// <summary>As <see cref="StopAsync"/>; this one is then at its end.</summary>
    public Task<StartedBroker?> NextAsync()
    {
        _hasStopped = true;
        return StopAsync();
    }

    public async ValueTask DisposeAsync()
    {
        if (!_hasStopped)
            await EndAsync();
    }
}
