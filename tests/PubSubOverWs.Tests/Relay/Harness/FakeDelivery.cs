using System.Text;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay;

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
