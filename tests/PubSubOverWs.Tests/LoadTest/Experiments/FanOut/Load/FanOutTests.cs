using System.Diagnostics;
using PubSubOverWs.LoadTest.Experiments.FanOut;
using PubSubOverWs.LoadTest.Experiments.FanOut.Load;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.LoadTest.Harness.Clients.Scripts;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.LoadTest.Experiments.FanOut.Load;

/// <summary>One publisher and two subscribers of a topic, against a server that does not treat all subscribers alike.</summary>
public sealed class FanOutTests
{
    private static readonly FanOutPlan Plan = new(
        "t-1", Subscribers: 2, Publishers: 1, Messages: 3, Arrival.Burst, PayloadBytes: 100, Receipts: true, TimeSpan.FromSeconds(10));

    private readonly TaskCompletionSource<PlainFrame[]> _sent = new(TaskCreationOptions.RunContinuationsAsynchronously);

    [Fact]
    public async Task Every_subscriber_that_gets_every_message_is_fully_reached()
    {
        var measured = await RunAsync(DeliverAllAsync, DeliverAllAsync);

        var buckets = Sum(measured);
        Assert.Equal((6, 6, 6), (buckets.Attempts, buckets.Delivered, buckets.Acknowledged));
        Assert.Equal(default, measured.Anomalies);
        Assert.Equal((2.0, 100.0), (measured.Measures[FanOutScenario.Reached.Name], measured.Measures[FanOutScenario.LeastReach.Name]));
        Assert.True(measured.Measures[FanOutScenario.Deliveries.Name] > 0);
        Assert.Equal(6, measured.Counted[0].Latencies.Count);
    }

    [Fact]
    public async Task A_message_that_one_subscriber_does_not_get_is_lost_for_that_one_alone()
    {
        var measured = await RunAsync(DeliverAllAsync, async (subscriber, sent) =>
        {
            await subscriber.DeliverAsync(sent[0]);
            await subscriber.SendAsync("ERROR\nmessage:too slow\n\n");
        });

        var buckets = Sum(measured);
        Assert.Equal((4, 2, 2), (buckets.Delivered, buckets.LostAcknowledged, buckets.Causes.ServerClosed));
        Assert.Equal(1.0, measured.Measures[FanOutScenario.Reached.Name]);
        Assert.Equal(100.0 / 3, measured.Measures[FanOutScenario.LeastReach.Name]!.Value, 1e-9);
        Assert.Equal(1, measured.Failures["server-closed(ERROR too slow)"]);
    }

    [Fact]
    public async Task Copies_that_are_not_first_or_not_whole_or_out_of_order_are_counted_beside_the_deliveries()
    {
        var measured = await RunAsync(DeliverAllAsync, async (subscriber, sent) =>
        {
            await subscriber.SendAsync($"MESSAGE\nid:{sent[0].Header("id")}\ncontent-length:3\n\nbad");
            await subscriber.SendAsync("MESSAGE\nid:t-1-3\n\n" + sent[0].Body.Replace("id=t-1-0", "id=t-1-3", StringComparison.Ordinal));
            await subscriber.DeliverAsync(sent[1]);
            await subscriber.DeliverAsync(sent[1]);
            await subscriber.DeliverAsync(sent[0]);
            await subscriber.DeliverAsync(sent[2]);
        });

        Assert.Equal(new Anomalies(Duplicates: 1, Reorderings: 1, Unexpected: 0, Corrupted: 2), measured.Anomalies);
        Assert.Equal(6, Sum(measured).Delivered);
    }

    [Fact]
    public async Task A_message_of_another_iteration_is_unexpected()
    {
        var other = Plan with { Name = "t-2" };
        var measured = await RunAsync(DeliverAllAsync, async (subscriber, sent) =>
        {
            var body = PubSubOverWs.LoadTest.Harness.Clients.Payload.Write(100, other.Topic.MessageId(0), 0, 0);
            await subscriber.SendAsync($"MESSAGE\nid:{other.Topic.MessageId(0)}\n\n{System.Text.Encoding.ASCII.GetString(body)}");
            await DeliverAllAsync(subscriber, sent);
        });

        Assert.Equal(new Anomalies(0, 0, Unexpected: 1, 0), measured.Anomalies);
    }

    [Fact]
    public async Task A_subscriber_that_never_connected_is_missing_every_message()
    {
        var measured = await RunAsync(DeliverAllAsync, null);

        var buckets = Sum(measured);
        Assert.Equal((6, 3, 3), (buckets.Attempts, buckets.Delivered, buckets.Lost));
        Assert.Equal(2, measured.Connections);
        Assert.Equal((1.0, 0.0), (measured.Measures[FanOutScenario.Reached.Name], measured.Measures[FanOutScenario.LeastReach.Name]));
    }

    [Fact]
    public async Task A_late_copy_does_not_count_as_reach()
    {
        await using var server = await ServerAsync(DeliverAllAsync, DeliverAllAsync);
        using var group = await GroupAsync(server);
        var load = new FanOutLoad(Plan with { Arrival = new Arrival(TimeSpan.FromSeconds(30)) }, group);
        await Task.WhenAll(load.Participants.Select(one => one.EnterAsync(TimeProvider.System))).Patiently();
        for (var send = 0; send < load.Sends; send++)
            load.Send(send);
        await load.Waiting.Reached.Patiently();
        foreach (var one in load.Participants)
            one.Abort();
        await Task.WhenAll(load.Participants.Select(one => one.EndAsync())).Patiently();

        // Due 15 s ago, 5 s ago and in 5 s, with a deadline of 10 s.
        var firstDue = Stopwatch.GetTimestamp() - (15 * Stopwatch.Frequency);
        var seen = load.Observe(firstDue, firstDue);

        var buckets = Assert.Single(seen.Counted).Row(seen.Anomalies).Buckets;
        Assert.Equal((6, 4, 2), (buckets.Attempts, buckets.Delivered, buckets.Late));
        Assert.Equal(0.0, seen.Measures[FanOutScenario.Reached.Name]);
        Assert.Equal(200.0 / 3, seen.Measures[FanOutScenario.LeastReach.Name]!.Value, 1e-9);
        foreach (var one in load.Participants)
            one.Dispose();
    }

    private static async Task DeliverAllAsync(ScriptedConnection subscriber, PlainFrame[] sent)
    {
        foreach (var send in sent)
            await subscriber.DeliverAsync(send);
    }

    private static Buckets Sum(IterationMeasurement measured) => Assert.Single(measured.Counted).Row(measured.Anomalies).Buckets;

    private async Task<IterationMeasurement> RunAsync(params Func<ScriptedConnection, PlainFrame[], Task>?[] subscribers)
    {
        await using var server = await ServerAsync(subscribers);
        var under = new RunningTarget(Arm.Floor, await GroupAsync(server));
        var load = new FanOutLoad(Plan, under.Servers);
        return await Iteration.RunAsync(load, under, TimeProvider.System, CancellationToken.None).Patiently();
    }

    private static async Task<ServerGroup> GroupAsync(ScriptedServer server) =>
        new([new GroupMember("t", await server.TargetAsync(), Stats: null, Process: null)]);

    // Connections are opened at once, so which comes first is not known: a client that subscribes says so by its second frame. Null: it is
    // refused.
    private Task<ScriptedServer> ServerAsync(params Func<ScriptedConnection, PlainFrame[], Task>?[] subscribers)
    {
        var next = -1;
        var script = async (ScriptedConnection client) =>
        {
            await client.LetInAsync();
            var first = await client.ReceiveAnyAsync();
            if (first.Command == StompCommand.Subscribe)
            {
                if (subscribers[Interlocked.Increment(ref next)] is { } deliver)
                {
                    await client.SendAsync("RECEIPT\nreceipt-id:s\n\n");
                    await deliver(client, await _sent.Task);
                }
                else
                {
                    await client.SendAsync("ERROR\nmessage:no room\n\n");
                }

                return;
            }

            PlainFrame[] sent = [first, await client.ReceiveAsync(StompCommand.Send), await client.ReceiveAsync(StompCommand.Send)];
            foreach (var send in sent)
                await client.AnswerAsync(send);
            _sent.SetResult(sent);
        };
        return ScriptedServer.StartAsync(script, script, script);
    }
}
