using PubSubOverWs.LoadTest.Experiments.StalledReaders;
using PubSubOverWs.LoadTest.Experiments.StalledReaders.Load;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.LoadTest.Harness.Clients.Scripts;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.LoadTest.Experiments.StalledReaders.Load;

/// <summary>One reader and one other connection, against a server that does to each what a test says.</summary>
public sealed class StalledReadersTests
{
    private readonly TaskCompletionSource<ScriptedConnection> _other = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _taken;
    private int _slow;

    [Fact]
    public async Task Without_other_connections_every_message_of_a_reader_comes_back()
    {
        var measured = await RunAsync(Doing.Away);

        Assert.Equal((1, 4, 4), (measured.Connections, measured.Observations.Count, Came(measured)));
        Assert.Equal([0, 0, 1, 1], measured.Observations.Select(one => one.Flow));
        Assert.Equal([0, 0, 0], Others(measured));
        Assert.Equal((3.0, 4.0), (measured.Measures["heap"] * 1024 * 1024, measured.Measures["heapLimit"] * 1024 * 1024));
    }

    [Fact]
    public async Task An_other_connection_that_reads_is_waited_for_until_it_has_read_everything()
    {
        var measured = await RunAsync(Doing.Reading);

        Assert.Equal((2, 4), (measured.Connections, Came(measured)));
        Assert.Equal([0, 4, 4], Others(measured));
        Assert.Empty(measured.Failures);
    }

    [Fact]
    public async Task A_stalled_connection_is_filled_first_and_its_messages_stay_unread()
    {
        var measured = await RunAsync(Doing.Stalled);

        Assert.Equal((2, 4), (measured.Connections, Came(measured)));
        // Two messages were taken, and then none of two rounds.
        Assert.Equal([4, 4, 0], Others(measured));
        Assert.Empty(measured.Failures);
    }

    [Fact]
    public async Task A_connection_that_the_server_disconnects_reads_to_the_end_and_finds_the_error()
    {
        var measured = await RunAsync(Doing.Disconnected);

        Assert.Equal((2, 4), (measured.Connections, Came(measured)));
        Assert.Equal((3.0, 1.0, 1.0), (measured.Measures["rounds"], measured.Measures["disconnected"], measured.Measures["told"]));
        Assert.Empty(measured.Failures);
    }

    [Fact]
    public async Task A_server_that_always_has_room_for_more_ends_the_trial()
    {
        var refused = await Assert.ThrowsAsync<ChildException>(() => RunAsync(Doing.Stalled, mostTaken: int.MaxValue));

        Assert.StartsWith("The server took 2500 messages of 16384 B for each connection", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(10, 3, new[] { 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3 })]
    [InlineData(2, 4, new[] { 0, 2, 4, 6 })]
    public void Each_other_connection_gets_as_many_messages_as_a_reader(int readers, int others, int[] before)
    {
        var plan = new StalledReadersPlan(
            "t-1", Doing.Stalled, readers, others, Half: 50, Arrival.Burst, PayloadBytes: 100, TimeSpan.FromSeconds(10));

        Assert.Equal(before, Enumerable.Range(0, before.Length).Select(message => (int)plan.ToOthersBefore(message)));
        Assert.Equal(100, Enumerable.Range(0, readers).Sum(plan.MessagesOf));
        Assert.Equal(0, (plan with { Doing = Doing.Disconnected }).MessagesToOthers);
    }

    private static int Came(IterationMeasurement measured) => measured.Observations.Count(one => one.Received is not null);

    private static double?[] Others(IterationMeasurement measured) =>
        [measured.Measures["rounds"], measured.Measures["othersSent"], measured.Measures["othersRead"]];

    private async Task<IterationMeasurement> RunAsync(Doing doing, int mostTaken = 2)
    {
        var plan = new StalledReadersPlan(
            "t-1", doing, Readers: 1, MaxOthers: 1, Half: 2, Arrival.Burst, PayloadBytes: 100, TimeSpan.FromSeconds(10));
        var script = (ScriptedConnection client) => ServeAsync(client, plan, mostTaken);
        await using var server = await ScriptedServer.StartAsync(() => State, script, script, script);
        using var stats = new StatsReader(server.Address);
        var member = new GroupMember("t", await server.TargetAsync(), stats, Process: null);
        var under = new RunningTarget(Arm.Floor, new ServerGroup([member]));
        var load = new StalledReadersLoad(plan, under.Servers);
        return await Iteration.RunAsync(load, under, TimeProvider.System, CancellationToken.None).Patiently();
    }

    private string State => $$"""
        {
          "queue": null, "messages": { "in": {{_taken}} }, "drops": { "shed": 0 }, "connections": { "slow": {{_slow}} },
          "gcHeapBytes": 3, "gcHeapLimitBytes": 4, "gcCollections": [5, 6, 7], "gcPauseMicroseconds": 8, "memory": { "mostBytes": 9 }
        }
        """;

    // Which connection comes first is not known: each says by its frames which it is.
    private async Task ServeAsync(ScriptedConnection client, StalledReadersPlan plan, int mostTaken)
    {
        await client.LetInAsync();
        var first = await client.ReceiveAnyAsync();
        if (first.Command == StompCommand.Send)
        {
            await FillAsync(client, first, plan.Doing, mostTaken);
            return;
        }

        await client.SendAsync("RECEIPT\nreceipt-id:s\n\n");
        if (first.Header("destination") == plan.Topic(0))
        {
            _other.SetResult(client);
            return;
        }

        for (var came = 0; came < plan.Messages;)
        {
            var send = await client.ReceiveAsync(StompCommand.Send);
            var isOwn = send.Header("destination") == plan.Queue(0);
            came += isOwn ? 1 : 0;
            await (isOwn ? client : await _other.Task).DeliverAsync(send);
        }
    }

    private async Task FillAsync(ScriptedConnection publisher, PlainFrame first, Doing doing, int mostTaken)
    {
        for (var send = first; send.Command == StompCommand.Send; send = await publisher.ReceiveAnyAsync())
        {
            if (doing == Doing.Disconnected && _taken == mostTaken)
            {
                _slow++;
                var other = await _other.Task;
                await other.SendAsync("ERROR\nmessage:You read too slowly\n\n");
                await other.CloseAsync();
            }

            _taken = Math.Min(_taken + 1, mostTaken);
            await publisher.SendAsync("RECEIPT\nreceipt-id:r\n\n");
        }
    }
}
