using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary>Connections that are opened together and closed together, and answer what the server asks meanwhile.</summary>
internal sealed class IdleConnections(ClientTarget target, LoadShape load) : IDisposable
{
    private const int Threads = 32;

    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(100);

    private readonly SaturatingClient[] _clients =
        [.. Enumerable.Range(0, load.Connections).Select(index => new SaturatingClient(target, load, "", index))];

    /// <summary>Each of some threads opens one after the other. Returns how long it took until the last was open.</summary>
    /// <exception cref="ChildException">The server did not accept one.</exception>
    public async Task<TimeSpan> OpenAsync()
    {
        var stamp = Stopwatch.GetTimestamp();

        // No token: it takes seconds.
        await Task.WhenAll(Enumerable.Range(0, Threads).Select(first => Task.Factory.StartNew(
            () => Open(first), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));
        return Stopwatch.GetElapsedTime(stamp);
    }

    /// <summary>Lets them be for a while.</summary>
    public async Task IdleAsync(TimeSpan length, TimeProvider time, CancellationToken cancellationToken)
    {
        using var end = new CancellationTokenSource(length, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(end.Token, cancellationToken);
        await Task.Factory.StartNew(
            () => Answer(either.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        cancellationToken.ThrowIfCancellationRequested();
    }

    public void Dispose()
    {
        foreach (var client in _clients)
            client.Dispose();
    }

    private void Open(int first)
    {
        for (var i = first; i < _clients.Length; i += Threads)
        {
            _clients[i].Connect();
            _clients[i].Socket.Blocking = false;
        }
    }

    private void Answer(CancellationToken stopping)
    {
        var clients = _clients.ToDictionary(client => client.Socket);
        while (!stopping.WaitHandle.WaitOne(BetweenLooks))
        {
            var ready = new List<Socket>(clients.Keys);
            Socket.Select(ready, null, null, TimeSpan.Zero);
            foreach (var socket in ready)
                clients[socket].Receive();
        }
    }
}
