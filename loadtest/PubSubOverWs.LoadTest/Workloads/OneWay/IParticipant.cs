
namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>
/// One user of a workload, as an iteration drives it: it connects, sends each message when that is due, sends no more, and leaves.
/// </summary>
public interface IParticipant : IDisposable
{
    /// <summary>Whole once the user has left.</summary>
    ClientLog Log { get; }

    /// <summary>Connected and subscribed.</summary>
    bool IsIn { get; }

    /// <summary>How its connections came back; whole once it has left.</summary>
    Returns Returns { get; }

    /// <summary>Connects, logs in, subscribes, and begins to listen. What goes wrong is in the client log.</summary>
    /// <param name="time">For time-outs and waits.</param>
    Task EnterAsync(TimeProvider time);

    /// <summary>A message is due; nothing happens when this user is not in. Never waits.</summary>
    /// <param name="sequence">From 0, each once and in order.</param>
    void Send(int sequence);

    /// <summary>
    /// All deadlines are over: it sends nothing more, and completes once what it sent can reach nobody behind the caller's back.
    /// </summary>
    Task StopSendingAsync();

    /// <summary>Says good-bye; <see cref="EndAsync"/> waits until the server has closed.</summary>
    void Leave();

    /// <summary>Completes when all its connections have ended.</summary>
    Task EndAsync();

    /// <summary>Ends its connections at once, from any thread.</summary>
    void Abort();
}
