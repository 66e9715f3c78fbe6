using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>
/// Subscribes at one node and, each time a node ends its connection, at the next. It remembers that it was told, for it may have missed
/// messages then.
/// </summary>
/// <param name="deployment">The nodes.</param>
/// <param name="node">The first to subscribe at.</param>
/// <param name="destination">What it subscribes to.</param>
/// <param name="acknowledges">Whether it acknowledges each message.</param>
/// <param name="tally">Counts what comes.</param>
/// <param name="time">Of <see cref="SubscribedAt"/>.</param>
internal sealed class ReturningSubscriber(
    NodeFleet deployment, int node, string destination, bool acknowledges, Tally tally, TimeProvider time) : IDisposable
{
    private int _node = node;
    private NodeClient? _client;

    public Tally Tally { get; } = tally;

    /// <summary>How often a node ended its connection.</summary>
    public int Told { get; private set; }

    /// <summary>When it was subscribed last: a timestamp after the node said so.</summary>
    public long SubscribedAt { get; private set; }

    /// <exception cref="ChildException">The node does not let it in, or does not answer.</exception>
    public async Task SubscribeAsync(CancellationToken stopping)
    {
        _client = await NodeClient.SubscribeAsync(
            await deployment.TargetAsync(_node, stopping), destination, acknowledges, Tally, stopping);
        SubscribedAt = time.GetTimestamp();
    }

    /// <summary>Runs until <paramref name="stopping"/> fires.</summary>
    /// <exception cref="ChildException">The next node does not let it in either.</exception>
    public async Task StayAsync(CancellationToken stopping)
    {
        try
        {
            while (true)
            {
                await _client!.Ended.WaitAsync(stopping);
                Told++;
                _client.Dispose();
                _node = (_node + 1) % deployment.Nodes.Count;
                await SubscribeAsync(stopping);
            }
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
    }

    /// <summary>Whether it was told that it may have missed a message that was sent last at this time.</summary>
    public bool WasToldOf(long sentAt) => Told > 0 && sentAt <= SubscribedAt;

    public void Dispose() => _client?.Dispose();
}
