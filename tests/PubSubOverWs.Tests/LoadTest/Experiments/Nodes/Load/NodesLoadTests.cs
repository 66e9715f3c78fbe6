using System.Collections.Concurrent;
using PubSubOverWs.LoadTest.Experiments.Nodes;
using PubSubOverWs.LoadTest.Experiments.Nodes.Load;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.LoadTest.Harness.Clients.Scripts;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Nodes.Load;

/// <summary>Two nodes that are one relay, which delivers the first message to the queue twice.</summary>
public sealed class NodesLoadTests : IDisposable
{
    private static readonly NodesScenario Scenario = new()
    { Name = "nodes", PubSubNodes = 2, TopicSubscribers = 3, Queues = 1, Messages = 2, Deadline = TimeSpan.FromSeconds(10) };

    private static readonly NodesPlan Plan = new(Scenario, "r", 1, Arrival.Burst);

    private readonly ConcurrentBag<(string Destination, ScriptedConnection Client)> _subscribers = [];
    private readonly SemaphoreSlim _oneAtATime = new(1);
    private bool _hasRepeated;

    [Fact]
    public async Task Each_attempt_and_each_anomaly_is_recorded_in_the_flow_that_it_is_of()
    {
        const int Clients = 3 + 2 + 4;
        await using var server = await ScriptedServer.StartAsync(
            [.. Enumerable.Repeat<Func<ScriptedConnection, Task>>(RelayAsync, Clients)]);
        var target = await server.TargetAsync();
        var under = new RunningTarget(Arm.Floor, new ServerGroup(
            [new GroupMember("1", target, Stats: null, Process: null), new GroupMember("2", target, Stats: null, Process: null)]));

        var measured = await Iteration.RunAsync(
            new NodesLoad(Plan, under.Servers), under, TimeProvider.System, CancellationToken.None).Patiently();

        Assert.Equal(Clients, measured.Connections);
        var byFlow = measured.Observations.ToLookup(one => one.Flow);
        Assert.Equal(["r-1-t-0", "r-1-t-0", "r-1-t-0", "r-1-t-1", "r-1-t-1", "r-1-t-1"], byFlow[0].Select(one => one.MessageId));
        Assert.Equal(["r-1-q-0", "r-1-q-1"], byFlow[1].Select(one => one.MessageId));
        Assert.All(measured.Observations, one => Assert.True(one is { Taken: true, Received: not null }));
        Assert.Equal([default, new Anomalies(Duplicates: 1, 0, 0, 0)], measured.AnomaliesByFlow);
    }

    public void Dispose() => _oneAtATime.Dispose();

    private async Task RelayAsync(ScriptedConnection client)
    {
        await client.LetInAsync();
        // Ends with the close of the client, which is no frame.
        while (await client.ReceiveAnyAsync() is var frame)
        {
            await _oneAtATime.WaitAsync();
            try
            {
                if (frame.Command == StompCommand.Subscribe)
                    await SubscribeAsync(client, frame);
                else if (frame.Command == StompCommand.Send)
                    await PublishAsync(client, frame);
            }
            finally
            {
                _oneAtATime.Release();
            }
        }
    }

    private Task SubscribeAsync(ScriptedConnection client, PlainFrame frame)
    {
        _subscribers.Add((frame.Header("destination")!, client));
        return client.SendAsync("RECEIPT\nreceipt-id:s\n\n");
    }

    private async Task PublishAsync(ScriptedConnection publisher, PlainFrame send)
    {
        await publisher.AnswerAsync(send);
        var destination = send.Header("destination")!;
        var clients = _subscribers.Where(one => one.Destination == destination).Select(one => one.Client).ToList();
        if (destination.StartsWith("/queue/", StringComparison.Ordinal))
        {
            clients = [clients[0]];
            // Before the other message, so that the load has not left when it comes.
            if (!_hasRepeated)
                clients.Add(clients[0]);
            _hasRepeated = true;
        }

        foreach (var client in clients)
            await client.DeliverAsync(send);
    }
}
