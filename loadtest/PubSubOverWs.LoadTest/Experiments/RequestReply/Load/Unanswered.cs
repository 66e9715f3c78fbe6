using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>Counts requests that are sent and not answered, and says when the last one is.</summary>
/// <param name="waiting">Signalled when all were sent and answered.</param>
public sealed class Unanswered(Countdown waiting)
{
    // One more while requests are still to be sent.
    private long _count = 1;

    public long Count => Volatile.Read(ref _count) - 1;

    public void Add() => Interlocked.Increment(ref _count);

    /// <summary>One was answered, or could not be sent.</summary>
    public void Remove()
    {
        if (Interlocked.Decrement(ref _count) == 0)
            waiting.Signal();
    }

    /// <summary>Nothing more is sent. To be called once.</summary>
    public void AllSent() => Remove();
}
