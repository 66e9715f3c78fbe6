namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>What is done to servers, queue and network from outside while one iteration runs. Called in this order, each once.</summary>
public interface IDisturbance
{
    /// <summary>All users are in, and nothing was sent: what lasts as long as the iteration begins.</summary>
    Task BeginAsync(CancellationToken cancellationToken);

    /// <summary>
    /// The first message is due now. Completes when all that has a moment of its own was done and undone, the time over which messages are
    /// due has passed, and everything was taken back: servers and queue can be used as before.
    /// </summary>
    Task PlayAsync(CancellationToken cancellationToken);
}
