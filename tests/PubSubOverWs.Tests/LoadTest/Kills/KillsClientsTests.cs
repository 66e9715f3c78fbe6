using System.Text;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Kills;
using PubSubOverWs.LoadTest.Nodes;
using PubSubOverWs.LoadTest.Workloads.OneWay;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.LoadTest.Clients.Scripts;
using PubSubOverWs.Tests.PubSubServer;
using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.LoadTest.Kills;

/// <summary>The clients of the kill loop, and those of the proofs with nodes.</summary>
public sealed class KillsClientsTests
{
    private static readonly KillsPlan Plan = new() { Messages = 3, Kills = 0, Publishers = 1, Queues = 1 };

    [Fact]
    public async Task A_message_that_comes_before_the_receipt_of_the_subscription_is_counted_and_acknowledged()
    {
        await using var server = await ScriptedServer.StartAsync(DeliverBeforeTheReceiptAsync);
        var tally = new Tally(Plan.Messages);
        using var subscriber = new KillsSubscriber(await server.TargetAsync(), AtOnce(), Plan, 0, tally);

        Assert.Null(await subscriber.EnterAsync(TimeProvider.System));

        await server.Played;
        Assert.Equal((1, 1L, 0L), (tally.Distinct, tally.Arrivals, tally.Corrupted));
        await EndAsync(subscriber);
    }

    [Fact]
    public async Task So_it_is_by_a_client_of_a_node()
    {
        await using var server = await ScriptedServer.StartAsync(DeliverBeforeTheReceiptAsync);
        var tally = new Tally(Plan.Messages);

        using var client = await NodeClient.SubscribeAsync(
            await server.TargetAsync(), "/queue/a", acknowledges: true, tally, CancellationToken.None);

        await server.Played;
        Assert.Equal(1, tally.Distinct);
    }

    [Fact]
    public async Task What_has_no_receipt_when_the_connection_is_cut_goes_again_and_nothing_else_does()
    {
        var (taken, again) = (new bool[Plan.Messages], new bool[Plan.Messages]);
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        await using var server = await ScriptedServer.StartAsync(
            async first =>
            {
                await first.LetInAsync();
                await first.AnswerAsync(await first.ReceiveAsync(StompCommand.Send));
                await first.ReceiveAsync(StompCommand.Send);
                await first.ReceiveAsync(StompCommand.Send);
                // A reset overtakes what the client has not read.
                while (!Volatile.Read(ref taken[0]) && !patience.IsCancellationRequested)
                    await Task.Yield();
                first.Cut();
            },
            async second =>
            {
                await second.LetInAsync();
                await second.AnswerAsync(await second.ReceiveAsync(StompCommand.Send));
                await second.AnswerAsync(await second.ReceiveAsync(StompCommand.Send));
            });
        using var publisher = new KillsPublisher(await server.TargetAsync(), AtOnce(), Plan, 0, taken, again);
        Assert.Null(await publisher.EnterAsync(TimeProvider.System));

        await publisher.RunAsync(TimeProvider.System.GetTimestamp(), TimeProvider.System, CancellationToken.None).Patiently();

        await server.Played;
        Assert.Equal([true, true, true], taken);
        Assert.Equal([false, true, true], again);
        Assert.Equal(2, publisher.PublishedAgain);
        await EndAsync(publisher);
    }

    [Fact]
    public async Task A_client_whose_login_nobody_answers_can_be_ended()
    {
        var connected = new TaskCompletionSource();
        await using var server = await ScriptedServer.StartAsync(async silent =>
        {
            await silent.ReceiveAsync(StompCommand.Connect);
            connected.SetResult();
        });
        using var subscriber = new KillsSubscriber(await server.TargetAsync(), AtOnce(), Plan, 0, new Tally(1));
        var entering = subscriber.EnterAsync(TimeProvider.System);
        await connected.Task.Patiently();

        subscriber.Abort();

        Assert.NotNull(await entering.Patiently());
    }

    [Fact]
    public async Task So_can_a_client_of_a_node()
    {
        using var stopping = new CancellationTokenSource();
        await using var server = await ScriptedServer.StartAsync(async silent =>
        {
            await silent.ReceiveAsync(StompCommand.Connect);
            await stopping.CancelAsync();
        });
        var target = await server.TargetAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            NodeClient.PublishAsync(target, (_, _) => { }, stopping.Token).Patiently());
    }

    private static async Task DeliverBeforeTheReceiptAsync(ScriptedConnection connection)
    {
        await connection.LetInAsync();
        await connection.ReceiveAsync(StompCommand.Subscribe);
        await connection.SendAsync(
            $"MESSAGE\nid:2\nack:a2\ncontent-length:100\n\n{Encoding.Latin1.GetString(Payload.Write(100, "2", 0, 2))}");
        var ack = await connection.ReceiveAsync(StompCommand.Ack);
        Assert.Equal("a2", ack.Header("id"));
        await connection.SendAsync("RECEIPT\nreceipt-id:s\n\n");
    }

    private static Backoff AtOnce() => new(new Random(1), TimeSpan.FromMilliseconds(1));

    private static async Task EndAsync(ReturningClient client)
    {
        client.Leave();
        await client.EndAsync().Patiently();
    }
}
