namespace PubSubOverWs.LoadTest.Experiments.Peers.Load;

/// <summary>
/// Keeps every connection at its depth, on one thread that asks all sockets at once which have something: lighter than a task per
/// connection, whose thread hops cost as much as the server's work.
/// </summary>
internal sealed class Saturation(IReadOnlyList<SaturatingClient> clients, int depth)
{
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(50);

    // So many looks without a message after the load has stopped: what is not back then is missing.
    private const int PatienceInLooks = 100;

    private readonly Dictionary<Socket, SaturatingClient> _clients = clients.ToDictionary(client => client.Socket);
    private long _messages;
    private volatile bool _stopping;

    /// <summary>That came back so far.</summary>
    public long Messages => Volatile.Read(ref _messages);

    // No token: Stop ends it.

    /// <summary>Sends until <see cref="Stop"/>, then waits for what is under way. The result is what did not come back.</summary>
    public Task<int> RunAsync() => Task.Factory.StartNew(
        Run, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    public void Stop() => _stopping = true;

    private int Run()
    {
        foreach (var client in clients)
            client.Send(depth);
        for (var looks = 0; looks < PatienceInLooks && (!_stopping || clients.Any(client => client.UnderWay > 0)); looks++)
        {
            if (Pump() > 0 || !_stopping)
                looks = 0;
        }

        return clients.Sum(client => client.UnderWay);
    }

    private int Pump()
    {
        var ready = new List<Socket>(_clients.Keys);
        Socket.Select(ready, null, null, Look);
        var all = 0;
        foreach (var socket in ready)
        {
            var client = _clients[socket];
            var count = client.Receive();
            if (count > 0 && !_stopping)
                client.SendAgain(count);
            all += count;
        }

        Volatile.Write(ref _messages, _messages + all);
        return all;
    }
}
