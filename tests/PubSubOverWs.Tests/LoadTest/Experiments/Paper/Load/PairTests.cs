using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.LoadTest.Harness.Clients.Scripts;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Load;

/// <summary>One publisher and one subscriber against a server that cuts them where it hurts.</summary>
public sealed class PairTests
{
    private static readonly IterationPlan Plan = new()
    {
        Run = "t",
        Iteration = 1,
        Users = 1,
        Messages = 2,
        Receipts = true,
        Pairs = new PairsPlan(),
        Grace = TimeSpan.Zero,
    };

    [Fact]
    public async Task A_message_that_was_delivered_but_not_answered_when_its_publisher_was_cut_comes_again_as_a_duplicate()
    {
        ScriptedConnection subscriber = null!;
        await using var server = await ScriptedServer.StartAsync(
            async subscribing =>
            {
                subscriber = subscribing;
                await subscribing.LetSubscribeAsync();
            },
            async first =>
            {
                await first.LetInAsync();
                await subscriber.DeliverAsync(await first.ReceiveAsync(StompCommand.Send));
                first.Cut();
            },
            async second =>
            {
                await second.LetInAsync();
                for (var i = 0; i < Plan.Messages; i++)
                {
                    var send = await second.ReceiveAsync(StompCommand.Send);
                    await subscriber.DeliverAsync(send);
                    await second.AnswerAsync(send);
                }
            });

        var measured = await RunAsync(server, disturbance: null).Patiently();

        await server.Played;
        // The second SEND went out with the first, or was not sent before the cut.
        Assert.InRange(measured.Republished, 1, 2);
        Assert.Equal(new Anomalies(Duplicates: 1, 0, 0, 0), measured.Anomalies);
        Assert.Equal(
            2,
            Accountant.Sum(Accountant.Classify(measured.Observations, Plan.Deadline, measured.Drain.Remains), measured.Acknowledged)
                .Delivered);
        var window = Assert.Single(measured.Windows);
        Assert.False(window.IsSubscriber);
        Assert.True(window.Until > window.From);
    }

    [Fact]
    public async Task A_subscriber_that_is_cut_subscribes_again_and_takes_messages_that_come_before_the_receipt()
    {
        var send = new TaskCompletionSource<PlainFrame>();
        await using var server = await ScriptedServer.StartAsync(
            async first =>
            {
                await first.LetSubscribeAsync();
                await send.Task;
                first.Cut();
            },
            async publisher =>
            {
                await publisher.LetInAsync();
                var sent = await publisher.ReceiveAsync(StompCommand.Send);
                await publisher.AnswerAsync(sent);
                send.SetResult(sent);
                await publisher.AnswerAsync(await publisher.ReceiveAsync(StompCommand.Send));
            },
            async second =>
            {
                await second.LetInAsync();
                await second.ReceiveAsync(StompCommand.Subscribe);
                await second.DeliverAsync(await send.Task);
                await second.ReceiveAsync(StompCommand.Ack);
                await second.SendAsync("RECEIPT\nreceipt-id:s\n\n");
            });

        var measured = await RunAsync(server, disturbance: null, TimeSpan.FromSeconds(1)).Patiently();

        await server.Played;
        Assert.Equal((0L, 2L), (measured.Republished, measured.Acknowledged));
        Assert.Equal(1, measured.Observations.Count(seen => seen.Received is not null));
        var window = Assert.Single(measured.Windows);
        Assert.True(window is { IsSubscriber: true, Connected: { } connected } && connected > window.From && connected < window.Until);
    }

    [Fact]
    public async Task A_failed_schedule_ends_the_iteration_before_the_last_deadline()
    {
        await using var server = await ScriptedServer.StartAsync(
            subscriber => subscriber.LetSubscribeAsync(), publisher => publisher.LetInAsync());
        var running = RunAsync(server, new FailingSchedule(), TimeSpan.FromHours(1));

        var failure = await Assert.ThrowsAsync<InvalidDataException>(() => running.Patiently());

        Assert.Equal("The schedule failed.", failure.Message);
    }

    private static async Task<IterationMeasurement> RunAsync(ScriptedServer server, IDisturbance? disturbance, TimeSpan? deadline = null)
    {
        var member = new GroupMember("t", await server.TargetAsync(), Stats: null, Process: null);
        var under = new RunningTarget(Arm.Floor, new ServerGroup([member])) { Disturbance = disturbance };
        return await Iteration.RunAsync(
            new OneWayLoad(deadline is { } given ? Plan with { Deadline = given } : Plan, under.Servers), under, TimeProvider.System,
            CancellationToken.None);
    }

    private sealed class FailingSchedule : IDisturbance
    {
        public int Actions => 0;

        public TimeSpan? ReadyAgain => null;

        public Task BeginAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task RunAsync(CancellationToken cancellationToken) => Task.FromException(new InvalidDataException("The schedule failed."));
    }
}
