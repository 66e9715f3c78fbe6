using System.Text;
using System.Threading.Tasks.Sources;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay;

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
