using PubSubOverWs.PubSubServer;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class ListenerTests : IAsyncLifetime
{
    private readonly FakeTime _time = new();
    private readonly FakeSqs _sqs;
    private readonly List<Announcement> _heard = [];
    private readonly CancellationTokenSource _stopping = new();
    private Task _running = null!;

    public ListenerTests() => _sqs = new FakeSqs(_time);

    private static ControlQueue Control => FakeSns.Queues("a").Control;

    public async Task InitializeAsync()
    {
        await _sqs.CreateQueueAsync(Control.Name, new QueueSettings(), CancellationToken.None);
        var listener = new Listener(FakeSns.Node(_time, FakeSns.Queues("a"), _sqs), _heard.Add);
        _running = listener.RunAsync(_stopping.Token);
    }

    public async Task DisposeAsync()
    {
        await _stopping.CancelAsync();
        await Waiting.UntilAsync(() => EndPolls() && _running.IsCompleted);
        _stopping.Dispose();
    }

    [Fact]
    public async Task An_announcement_is_heard_and_deleted_and_an_invalid_one_is_deleted_too()
    {
        var said = new Announcement("b", "http://queue/b", 1, 0, 1, ["/queue/a"], [], Leaves: false);
        await SendAsync("nonsense"u8.ToArray(), said.Write());
        await Waiting.UntilAsync(() => _sqs.Bodies(Control.Name).Count == 0 || _running.IsCompleted);
        Assert.False(_running.IsCompleted);
        Assert.Equivalent(said, Assert.Single(_heard), strict: true);
    }

    [Fact]
    public async Task A_queue_that_stays_gone_ends_the_server_and_one_that_is_away_does_not()
    {
        _sqs.Fault = _ => FakeSqs.Away;
        EndPolls();
        await PassAsync(seconds: 20);
        Assert.False(_running.IsCompleted);
        _sqs.Fault = _ => new SqsException(SqsErrorCode.QueueDoesNotExist, "There is no such queue.", isRetryable: false);
        await PassAsync(seconds: 9);
        Assert.False(_running.IsCompleted);
        await PassAsync(seconds: 3);
        var gone = await Assert.ThrowsAsync<InvalidOperationException>(() => _running);
        Assert.StartsWith("The queue q-node-a-control of this server was deleted", gone.Message, StringComparison.Ordinal);
    }

    private async Task PassAsync(int seconds)
    {
        for (var i = 0; i < seconds && !_running.IsCompleted; i++)
        {
            await Waiting.UntilAsync(() => _time.TimersSet > 0 || _running.IsCompleted);
            _time.Advance(TimeSpan.FromSeconds(1));
        }
    }

    private async Task SendAsync(params byte[][] bodies) =>
        await _sqs.SendMessageBatchAsync(Control.Url, [.. bodies.Select(body => new SendEntry(body))], CancellationToken.None);

    private bool EndPolls()
    {
        _sqs.EndPolls();
        return true;
    }
}
