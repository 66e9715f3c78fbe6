using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class ControlQueuesTests : IAsyncDisposable
{
    private const string Own = "q-node-aaaaaa-control";

    private readonly FakeTime _time = new();
    private readonly FakeSqs _sqs;
    private readonly CutSqs _toOthers;
    private readonly ControlQueues _control;
    private readonly List<Announcement> _heard = [];
    private readonly CancellationTokenSource _stopping = new();
    private Task _listening = Task.CompletedTask;

    public ControlQueuesTests()
    {
        _sqs = new FakeSqs(_time).With("q-node-aaaaaa", Own, "q-node-bbbbbb", "q-node-bbbbbb-control");
        _toOthers = new CutSqs(_sqs);
        _control = new ControlQueues(FakeSns.Node(
            _time, FakeSns.Queues("aaaaaa"), _sqs, options: new NodeOptions { DeadAfter = TimeSpan.FromSeconds(9) }, others: _toOthers));
    }

    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        await Waiting.UntilAsync(() => _sqs.EndPolls() && _listening.IsCompleted);
        _stopping.Dispose();
    }

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
        var gate = _sqs.HoldSends();
        var telling = TellAsync();
        _time.Advance(TimeSpan.FromSeconds(3));
        Assert.False(await telling);
        gate.SetResult();
    }

    [Fact]
    public async Task An_announcement_is_heard_and_deleted_and_an_invalid_one_is_deleted_too()
    {
        _listening = _control.RunAsync(_heard.Add, _stopping.Token);
        var said = new Announcement("b", "http://queue/b", 1, 0, 1, ["/queue/a"], [], Leaves: false);
        await _sqs.PutAsync(Own, "nonsense"u8.ToArray(), said.Write());
        await Waiting.UntilAsync(() => _sqs.Bodies(Own).Count == 0 || _listening.IsCompleted);
        Assert.False(_listening.IsCompleted);
        Assert.Equivalent(said, Assert.Single(_heard), strict: true);
    }

    [Fact]
    public async Task A_queue_that_stays_gone_ends_the_server_and_one_that_is_away_does_not()
    {
        _listening = _control.RunAsync(_heard.Add, _stopping.Token);
        _sqs.Fault = _ => FakeSqs.Away;
        _sqs.EndPolls();
        await PassAsync(seconds: 20);
        Assert.False(_listening.IsCompleted);
        _sqs.Fault = _ => new QueueException(SqsErrorCode.QueueDoesNotExist, "There is no such queue.", isRetryable: false);
        await PassAsync(seconds: 8);
        Assert.False(_listening.IsCompleted);
        await PassAsync(seconds: 3);
        var gone = await Assert.ThrowsAsync<InvalidOperationException>(() => _listening);
        Assert.StartsWith("The queue q-node-aaaaaa-control of this server was deleted", gone.Message, StringComparison.Ordinal);
    }

    private Task<bool> TellAsync(bool othersToo = true) => _control.TellAsync("{}"u8.ToArray(), othersToo);

    private (int Own, int Other) Told() => (_sqs.Bodies(Own).Count, _sqs.Bodies("q-node-bbbbbb-control").Count);

    private async Task PassAsync(int seconds)
    {
        for (var i = 0; i < seconds && !_listening.IsCompleted; i++)
        {
            await Waiting.UntilAsync(() => _time.TimersSet > 0 || _listening.IsCompleted);
            _time.Advance(TimeSpan.FromSeconds(1));
        }
    }
}
