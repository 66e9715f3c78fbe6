using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>
/// Servers that get more than they can deliver: 100 batches of 10 messages, 12 ms apart, at a step that four can be in at a time.
/// </summary>
public sealed class OverloadTests
{
    private const int Batches = 100;
    private const int Batch = 10;
    private const int Places = 4;
    private const int All = Batches * Batch;

    private static readonly TimeSpan Between = TimeSpan.FromMilliseconds(12);
    private static readonly TimeSpan Cost = TimeSpan.FromMilliseconds(6);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly string[] Step = ["--Relay:Delivery:Cost", $"{Cost}", "--Relay:Delivery:AtATime", $"{Places}"];

    [Fact]
    public async Task The_direct_server_sheds_messages_beyond_the_places_of_the_delivery_step()
    {
        // So long that none becomes free again: what is taken does not depend on how fast they come.
        await using var server = await StartAsync(
            DirectTarget.Program.Command(["--Relay:Delivery:Cost", "00:01:00", "--Relay:Delivery:AtATime", $"{Places}"]));

        var (outcomes, _) = await OverloadAsync(server, delivered: Places);

        Assert.Equal((Places, All - Places), (outcomes["taken"], outcomes["shed"]));
    }

    [Fact]
    public async Task A_direct_server_with_a_buffer_takes_and_delivers_all_at_the_speed_of_the_step()
    {
        await using var server = await StartAsync(DirectTarget.Program.Command([.. Step, "--Direct:Buffer", $"{All}"]));

        await AllIsDeliveredAsync(server);
    }

    [Fact]
    public async Task The_pubsub_server_takes_and_delivers_all_at_the_speed_of_the_step()
    {
        await using var queue = await StartAsync(SqsPrograms.LocalSqs.Command());
        await using var server = await StartAsync(TestServers.PubSub(queue.Address, Step));

        await AllIsDeliveredAsync(server);
    }

    private static async Task AllIsDeliveredAsync(ChildServer server)
    {
        var (outcomes, took) = await OverloadAsync(server, delivered: All);

        Assert.Equal(All, outcomes["taken"]);
        // The first four are in the step at once.
        Assert.InRange(took, Cost * (All - Places) / Places * 0.98, Patience);
    }

    /// <param name="delivered">How many messages to wait for.</param>
    private static async Task<(Dictionary<string, int> Outcomes, TimeSpan Took)> OverloadAsync(ChildServer server, int delivered)
    {
        using var subscriber = await ConnectAsync(server);
        Assert.True(subscriber.TrySend(StompMessages.Subscribe("s", "/queue/all")));
        Assert.Null(await subscriber.ExpectAsync(StompCommand.Receipt));
        using var publisher = await ConnectAsync(server);
        using var patience = new CancellationTokenSource(Patience);
        await using var ending = patience.Token.Register(() =>
        {
            subscriber.Abort();
            publisher.Abort();
        });

        var start = Stopwatch.GetTimestamp();
        var receipts = CountAsync(publisher, All);
        await PublishAsync(publisher);
        var outcomes = await receipts;
        var came = await CountAsync(subscriber, delivered);
        Assert.Equal(delivered, came.Values.Sum());
        return (outcomes, Stopwatch.GetElapsedTime(start));
    }

    private static async Task PublishAsync(StompConnection publisher)
    {
        using var timer = new PeriodicTimer(Between);
        for (var i = 0; i < All; i++)
        {
            if (i % Batch == 0)
                await timer.WaitForNextTickAsync();
            Assert.True(publisher.TrySend(StompMessages.Send("/queue/all", $"m-{i}", new byte[50], receipt: "r")));
        }
    }

    // By outcome; messages have none.
    private static async Task<Dictionary<string, int>> CountAsync(StompConnection connection, int frames)
    {
        var counts = new Dictionary<string, int> { ["taken"] = 0, ["shed"] = 0 };
        for (var left = frames; left > 0;)
        {
            for (; connection.TryRead(out var frame); left--)
            {
                var outcome = frame.GetString("outcome"u8) ?? "";
                counts[outcome] = counts.GetValueOrDefault(outcome) + 1;
            }
            if (left > 0)
                Assert.True(await connection.ReceiveAsync(), $"{left} of {frames} did not come: {connection.Fault}");
        }
        return counts;
    }

    private static async Task<StompConnection> ConnectAsync(ChildServer server)
    {
        var connection = new StompConnection(await ClientTarget.ResolveAsync(server.Address, CancellationToken.None));
        Assert.Null(await connection.OpenAsync());
        Assert.Null(await connection.LogInAsync());
        return connection;
    }

    private static Task<ChildServer> StartAsync(ChildCommand command) =>
        TestServers.StartAsync(command);
}
