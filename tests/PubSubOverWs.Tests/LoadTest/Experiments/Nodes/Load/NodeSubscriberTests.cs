using System.Diagnostics;
using PubSubOverWs.LoadTest.Experiments.Nodes.Load;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Tests.LoadTest.Harness.Clients.Scripts;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Nodes.Load;

public sealed class NodeSubscriberTests
{
    private readonly Countdown _waiting = new(1);

    [Fact]
    public async Task A_disconnected_subscriber_goes_to_the_next_node_and_counts_as_told_of_earlier_messages()
    {
        var cut = new TaskCompletionSource();
        await using var first = await ScriptedServer.StartAsync(async connection =>
        {
            await connection.LetSubscribeAsync();
            await cut.Task;
            connection.Cut();
        });
        await using var second = await ScriptedServer.StartAsync(connection => connection.LetSubscribeAsync());
        var arrivals = new NodeArrivals("r-1-t-", 2, _waiting);
        using var subscriber = new NodeSubscriber(
            [await first.TargetAsync(), await second.TargetAsync()], new Backoff(new Random(1), TimeSpan.FromMilliseconds(1)), "/topic/r-1",
            acknowledges: false, arrivals, wasSent: _ => cut.Task.IsCompleted);
        await ((IParticipant)subscriber).EnterAsync(TimeProvider.System).Patiently();
        Assert.True(subscriber.IsIn);
        Assert.False(subscriber.WasTold(Stopwatch.GetTimestamp()));

        var before = Stopwatch.GetTimestamp();
        cut.SetResult();
        await second.Played;
        await subscriber.StopSendingAsync().Patiently();

        Assert.Equal((true, false, false), (
            subscriber.WasTold(before), subscriber.WasTold(Stopwatch.GetTimestamp()), subscriber.WasTold(null)));
        // All had been sent: it may have missed every one of them.
        Assert.Equal(0, _waiting.Left);
        Assert.Equal(Cause.ServerClosed, subscriber.Failure!.Cause);
        subscriber.Leave();
        await subscriber.EndAsync().Patiently();
    }

    [Fact]
    public async Task Messages_of_a_subscriber_that_no_node_accepted_are_not_waited_for()
    {
        await using var closed = await ScriptedServer.StartAsync();
        using var subscriber = new NodeSubscriber(
            [await closed.TargetAsync()], new Backoff(new Random(1), TimeSpan.Zero), "/topic/r-1", acknowledges: false,
            new NodeArrivals("r-1-t-", 2, _waiting), wasSent: _ => false);

        await ((IParticipant)subscriber).EnterAsync(TimeProvider.System).Patiently();

        Assert.Equal((false, 0), (subscriber.IsIn, _waiting.Left));
    }
}
