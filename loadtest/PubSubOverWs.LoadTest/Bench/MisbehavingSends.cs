using System.Collections.Concurrent;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// Sends for one misbehaving client, from a thread of its own: a send blocks while the server does not read, and a blocked thread of the
/// pool would hold up the clients that are measured.
/// </summary>
internal sealed class MisbehavingSends : IDisposable
{
    // More than a client ever has to send: an answer to each unacknowledged message of two subscriptions (Relay:PrefetchCount, 100).
    private const int Capacity = 1_024;

    private readonly BlockingCollection<(StompConnection To, byte[] Frames)> _waiting = new(Capacity);
    private readonly Thread _thread;
    private int _refused;

    public MisbehavingSends()
    {
        _thread = new Thread(Run) { IsBackground = true, Name = "misbehaving client" };
        _thread.Start();
    }

    /// <summary>Frames for which there was no room. Above 0 the client did not misbehave as it should.</summary>
    public int Refused => Volatile.Read(ref _refused);

    /// <summary>Queues without waiting. The frames are sent in order, or dropped when their connection is gone.</summary>
    public void Add(StompConnection connection, byte[] frames)
    {
        if (!_waiting.TryAdd((connection, frames)))
            Interlocked.Increment(ref _refused);
    }

    /// <summary>Nothing may be added any more; frames for connections that are gone are dropped.</summary>
    public void Dispose()
    {
        _waiting.CompleteAdding();
        _thread.Join();
        _waiting.Dispose();
    }

    private void Run()
    {
        foreach (var (connection, frames) in _waiting.GetConsumingEnumerable())
            connection.TrySend(frames);
    }
}
