using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>
/// Publishes through one node and, when that ends the connection, through the next: what was not answered is published again there with the
/// same id, as a client would.
/// </summary>
/// <param name="deployment">The nodes.</param>
/// <param name="node">The first to publish through.</param>
/// <param name="destination">Where each message goes.</param>
/// <param name="taken">By number: set when a node says that it took the message.</param>
/// <param name="sentAt">By number: when it was sent last, a timestamp.</param>
/// <param name="time">Of the timestamps.</param>
internal sealed class PersistentPublisher(
    NodeFleet deployment, int node, Func<int, string> destination, bool[] taken, long[] sentAt, TimeProvider time) : IDisposable
{
    private int _node = node;
    private NodePublisher? _publisher;

    /// <summary>Messages that were published again.</summary>
    public int Again { get; private set; }

    /// <summary>Waits for room and sends, through whichever node takes it.</summary>
    /// <exception cref="ChildException">The next node cannot be reached either.</exception>
    public async Task SendAsync(int number, CancellationToken stopping)
    {
        _publisher ??= await ConnectAsync(stopping);
        while (!await _publisher.SendAsync(destination(number), number, stopping))
            await GoOnAsync(stopping);
    }

    /// <summary>Completes when everything sent is answered.</summary>
    /// <exception cref="ChildException">The next node cannot be reached either.</exception>
    public async Task AnsweredAsync(CancellationToken stopping)
    {
        while (_publisher is not null)
        {
            await _publisher.AnsweredAsync(stopping);
            if (_publisher.Unanswered.Count == 0)
                return;
            await GoOnAsync(stopping);
        }
    }

    public void Dispose() => _publisher?.Dispose();

    private async Task GoOnAsync(CancellationToken stopping)
    {
        var unanswered = _publisher!.Unanswered;
        _publisher.Dispose();
        Again += unanswered.Count;
        _node = (_node + 1) % deployment.Nodes.Count;
        _publisher = await ConnectAsync(stopping);
        foreach (var number in unanswered)
            await SendAsync(number, stopping);
    }

    private async Task<NodePublisher> ConnectAsync(CancellationToken stopping) =>
        await NodePublisher.ConnectAsync(
            await deployment.TargetAsync(_node, stopping), taken, stopping, number => sentAt[number] = time.GetTimestamp());
}
