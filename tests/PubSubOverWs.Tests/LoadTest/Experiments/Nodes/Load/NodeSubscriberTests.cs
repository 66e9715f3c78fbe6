using System.Diagnostics;
using System.Text;
using PubSubOverWs.LoadTest.Experiments.Nodes.Load;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.LoadTest.Harness.Clients.Scripts;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Nodes.Load;

public sealed class NodeSubscriberTests
{
    private readonly Countdown _waiting = new(1);
    private readonly NodeArrivals _arrivals;

    public NodeSubscriberTests() => _arrivals = new NodeArrivals("r-1-t-", 2, _waiting);

    [Fact]
    public void The_first_intact_copy_of_each_message_counts_and_the_last_of_them_ends_the_waiting()
    {
        Take("r-1-t-1", stamp: 5);
        Take("r-1-t-1", stamp: 6);
        Assert.Equal((null, 5L, 1), (_arrivals.At(0), _arrivals.At(1), _waiting.Left));

        Take("r-1-t-0", stamp: 7);

        Assert.Equal((7L, 0), (_arrivals.At(0), _waiting.Left));
        Assert.Equal(new Anomalies(Duplicates: 1, 0, 0, 0), _arrivals.Anomalies);
    }

    [Theory]
    [InlineData("r-1-q-0")]
    [InlineData("r-1-t-2")]
    [InlineData("r-1-t-0x")]
    [InlineData("r-1-t--1")]
    [InlineData("another")]
    public void An_unknown_message_is_unexpected(string id)
    {
        Take(id, stamp: 1);

        Assert.Equal(new Anomalies(0, 0, Unexpected: 1, 0), _arrivals.Anomalies);
        Assert.Null(_arrivals.At(0));
    }

    [Fact]
    public void The_body_of_one_message_under_the_id_of_another_is_corrupted()
    {
        Take("r-1-t-0", stamp: 1, inside: "r-1-t-1");

        Assert.Equal(new Anomalies(0, 0, 0, Corrupted: 1), _arrivals.Anomalies);
        Assert.Null(_arrivals.At(0));
    }

    [Fact]
    public void A_message_announced_as_missed_is_not_waited_for_and_still_counts_if_it_comes()
    {
        _arrivals.Excuse(number => number == 0);
        Assert.Equal(1, _waiting.Left);
        _arrivals.Excuse(number => number == 0);

        Take("r-1-t-1", stamp: 1);
        Assert.Equal(0, _waiting.Left);
        Take("r-1-t-0", stamp: 2);

        Assert.Equal((2L, 0), (_arrivals.At(0), _waiting.Left));
    }

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
        var received = new NodeArrivals("r-1-t-", 2, _waiting);
        using var subscriber = new NodeSubscriber(
            [await first.TargetAsync(), await second.TargetAsync()], new Backoff(new Random(1), TimeSpan.FromMilliseconds(1)), "/topic/r-1",
            acknowledges: false, received, wasSent: _ => cut.Task.IsCompleted);
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

    private void Take(string id, long stamp, string? inside = null)
    {
        var body = Encoding.Latin1.GetString(Payload.Write(100, inside ?? id, user: 0, sequence: 0));
        var bytes = Encoding.Latin1.GetBytes($"MESSAGE\nid:{id}\ncontent-length:100\n\n{body}\0");
        Assert.True(new StompReader(new StompLimits()).TryRead(bytes, out var frame, out _));
        _arrivals.Take(frame, stamp);
    }
}
