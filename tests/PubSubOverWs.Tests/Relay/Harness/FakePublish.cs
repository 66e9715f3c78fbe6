using System.Text;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay;

/// <summary>A publish that waits for its outcome.</summary>
internal sealed class FakePublish(IReadOnlyList<Message> messages)
{
    private readonly TaskCompletionSource<PublishOutcome> _outcome = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public IReadOnlyList<Message> Messages { get; } = messages;

    public Message Message => Assert.Single(Messages);

    public string Body => Encoding.UTF8.GetString(Message.Body.Span);

    public Task<PublishOutcome> Outcome => _outcome.Task;

    public void Take(PublishOutcome outcome = PublishOutcome.Taken) => _outcome.SetResult(outcome);

    public void Refuse(string why) => _outcome.SetException(new BrokerRefusedException(why));

    public void Fail(Exception exception) => _outcome.SetException(exception);
}
