using System.Text;
using System.Threading.Channels;
using System.Threading.Tasks.Sources;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay;

/// <summary>A broker that does nothing by itself: the test decides what becomes of each publish, and delivers what it likes.</summary>
internal sealed class FakeBroker : IBroker
{
    private readonly Channel<FakePublish> _publishes = Channel.CreateUnbounded<FakePublish>();
    private readonly Channel<string> _rooms = Channel.CreateUnbounded<string>();

    public string Name => "fake";

    public QueueStats? Queue => null;

    public bool Keeps => true;

    /// <summary>Called for each publish, on the session's thread.</summary>
    public Action<FakePublish> OnPublish { get; set; } = _ => { };

    /// <summary>Called before <see cref="RoomAt"/> takes note.</summary>
    public Action OnRoom { get; set; } = () => { };

    public static RelayHarness Serve(out FakeBroker broker, Action<RelayOptions>? configure = null)
    {
        var made = broker = new FakeBroker();
        return new RelayHarness(_ => made, configure);
    }

    public ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages)
    {
        var publish = new FakePublish(messages);
        OnPublish(publish);
        _publishes.Writer.TryWrite(publish);
        return publish.Outcome;
    }

    public void RoomAt(string destination)
    {
        OnRoom();
        _rooms.Writer.TryWrite(destination);
    }

    public Task<FakePublish> NextPublishAsync() => _publishes.Reader.ReadAsync().AsTask().Patiently();

    /// <summary>The destination of the next call of <see cref="RoomAt"/>.</summary>
    public Task<string> NextRoomAsync() => _rooms.Reader.ReadAsync().AsTask().Patiently();

    /// <summary>Forgets the calls of <see cref="RoomAt"/> so far.</summary>
    public void ForgetRooms()
    {
        while (_rooms.Reader.TryRead(out _))
        {
        }
    }
}

/// <summary>A publish that waits for its outcome, and knows when another caller waits for it, too.</summary>
internal sealed class FakePublish(IReadOnlyList<Message> messages) : IValueTaskSource<PublishOutcome>
{
    private readonly TaskCompletionSource _followed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _told = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ManualResetValueTaskSourceCore<PublishOutcome> _outcome = new() { RunContinuationsAsynchronously = true };

    public IReadOnlyList<Message> Messages { get; } = messages;

    public Message Message => Assert.Single(Messages);

    public string Body => Encoding.UTF8.GetString(Message.Body.Span);

    /// <summary>To be awaited once.</summary>
    public ValueTask<PublishOutcome> Outcome => new(this, _outcome.Version);

    /// <summary>Completes when the session waits for the outcome, and so has counted the publish.</summary>
    public Task Followed => _followed.Task;

    /// <summary>Completes when the session has heard of the outcome.</summary>
    public Task Told => _told.Task;

    public void Take(PublishOutcome outcome = PublishOutcome.Taken) => _outcome.SetResult(outcome);

    public void Refuse(string why) => _outcome.SetException(new BrokerRefusedException(why));

    public void Fail(Exception exception) => _outcome.SetException(exception);

    PublishOutcome IValueTaskSource<PublishOutcome>.GetResult(short token)
    {
        _told.TrySetResult();
        return _outcome.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource<PublishOutcome>.GetStatus(short token) => _outcome.GetStatus(token);

    void IValueTaskSource<PublishOutcome>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        _outcome.OnCompleted(continuation, state, token, flags);
        _followed.TrySetResult();
    }
}

/// <summary>A delivery that remembers what became of it.</summary>
internal sealed class FakeDelivery(Message message) : Delivery(message)
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<string> _ends = [];

    /// <summary><c>settled</c>, <c>Nack</c> or <c>Closed</c>, in order.</summary>
    public IReadOnlyList<string> Ends
    {
        get
        {
            lock (_ends)
                return [.. _ends];
        }
    }

    /// <summary>Completes when it was settled or given back.</summary>
    public Task Ended => _ended.Task.Patiently();

    public static FakeDelivery To(string destination, string body) =>
        new(new Message($"id-{body}", destination, [], Encoding.UTF8.GetBytes(body), IsText: true));

    protected internal override void OnSettled() => End("settled");

    protected internal override void OnGivenBack(GiveBackReason reason) => End(reason.ToString());

    private void End(string how)
    {
        lock (_ends)
            _ends.Add(how);
        _ended.TrySetResult();
    }
}
