using PubSubOverWs.PubSubServer;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class ControlQueuesTests : IAsyncLifetime
{
    private readonly FakeTime _time = new();
    private readonly FakeSqs _sqs;
    private readonly CutSqs _toOthers;
    private readonly ControlQueues _control;

    public ControlQueuesTests()
    {
        _sqs = new FakeSqs(_time);
        _toOthers = new CutSqs(_sqs);
        _control = new ControlQueues(FakeSns.Node(
            _time, FakeSns.Queues("aaaaaa"), _sqs, options: new NodeOptions { DeadAfter = TimeSpan.FromSeconds(9) }, others: _toOthers));
    }

    public async Task InitializeAsync()
    {
        foreach (var node in new[] { "aaaaaa", "bbbbbb" })
        {
            await _sqs.CreateQueueAsync($"q-node-{node}", new QueueSettings(), CancellationToken.None);
            await _sqs.CreateQueueAsync($"q-node-{node}-control", new QueueSettings(), CancellationToken.None);
        }
    }

    public Task DisposeAsync() => Task.CompletedTask;

    [Fact]
    public async Task An_announcement_goes_into_the_control_queues_of_all_nodes_that_are_there()
    {
        Assert.True(await TellAsync());
        Assert.Equal((1, 1), Told());
        Assert.Empty(_sqs.Bodies("q-node-bbbbbb"));
    }

    [Fact]
    public async Task A_node_may_announce_to_itself_alone()
    {
        await TellAsync(othersToo: false);
        Assert.Equal((1, 0), Told());
    }

    [Fact]
    public async Task An_announcement_that_cannot_reach_another_node_has_not_reached_all()
    {
        _control.Know([FakeSqs.UrlOf("q-node-bbbbbb")]);
        _toOthers.Cut = Cut.Requests;
        Assert.False(await TellAsync());
        Assert.Equal((1, 0), Told());
    }

    [Fact]
    public async Task An_announcement_of_a_node_that_does_not_know_the_others_has_not_reached_all()
    {
        _toOthers.Cut = Cut.Requests;
        Assert.False(await TellAsync());
        _toOthers.Cut = Cut.None;
        Assert.True(await TellAsync());
        Assert.Equal((2, 1), Told());
    }

    [Fact]
    public async Task A_control_queue_that_is_gone_does_not_count_as_missed()
    {
        _control.Know([FakeSqs.UrlOf("q-node-bbbbbb"), FakeSqs.UrlOf("q-node-cccccc")]);
        Assert.True(await TellAsync());
        Assert.Equal((1, 1), Told());
    }

    [Fact]
    public async Task An_announcement_that_is_not_answered_is_given_up()
    {
        var gate = new TaskCompletionSource();
        _sqs.SendGate = gate.Task;
        var telling = TellAsync();
        _time.Advance(TimeSpan.FromSeconds(3));
        Assert.False(await telling);
        gate.SetResult();
    }

    private Task<bool> TellAsync(bool othersToo = true) => _control.TellAsync("{}"u8.ToArray(), othersToo);

    private (int Own, int Other) Told() => (_sqs.Bodies("q-node-aaaaaa-control").Count, _sqs.Bodies("q-node-bbbbbb-control").Count);
}
