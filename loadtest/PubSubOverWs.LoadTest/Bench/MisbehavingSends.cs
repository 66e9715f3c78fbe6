using System.Collections.Concurrent;
using PubSubOverWs.LoadTest.Clients;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// The sends of one misbehaving client, from a thread of its own: a send blocks while the server does not read, and a thread of the pool
/// that waits so would hold up the clients that are measured.
/// </summary>
internal sealed class MisbehavingSends : IDisposable
{
    private readonly BlockingCollection<(StompConnection To, byte[] Frames)> _waiting = [];
    private readonly Thread _thread;

    public MisbehavingSends()
    {
        _thread = new Thread(Run) { IsBackground = true, Name = "misbehaving client" };
        _thread.Start();
    }

    /// <summary>Sent when what was added before it has left; dropped when its connection is gone.</summary>
    public void Add(StompConnection connection, byte[] frames) => _waiting.Add((connection, frames));

    /// <summary>Nothing may be added any more; what waits for connections that are gone is dropped.</summary>
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
