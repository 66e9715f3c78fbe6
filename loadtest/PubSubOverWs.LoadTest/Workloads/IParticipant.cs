
namespace PubSubOverWs.LoadTest.Workloads;

/// <summary>
/// One client or user of a workload, as an iteration drives it: it connects, takes part, sends no more, and leaves.
/// </summary>
public interface IParticipant : IDisposable
{
    /// <summary>Connected and subscribed.</summary>
    bool IsIn { get; }

    /// <summary>Connects, logs in, subscribes, and begins to listen. What goes wrong it remembers.</summary>
    /// <param name="time">For time-outs and waits.</param>
    Task EnterAsync(TimeProvider time);

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
