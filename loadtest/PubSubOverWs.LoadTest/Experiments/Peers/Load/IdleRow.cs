using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load;

/// <summary>
/// Rows on connections that do nothing but answer what the server asks: their memory and CPU, and how fast they are opened.
/// </summary>
internal sealed class IdleRow : RowLoad
{
    private const int Threads = 32;

    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(100);

    private readonly long[] _openedAt;
    private SaturatingClient[] _clients = [];
    private long? _residentBefore;

    public IdleRow(PeersTrial trial)
        : base(trial) => _openedAt = new long[trial.Clients];

    protected override int Opened => _openedAt.Count(stamp => stamp != 0);

    public override void Leave()
    {
        foreach (var client in _clients)
            client.Dispose();
    }

    protected override async Task PrepareAsync(CancellationToken stopping)
    {
        await Task.Delay(PeersScenario.Rest, Time, stopping);
        _residentBefore = Trial.Servers.ResidentBytes;
        await OpenAsync(stopping);
        await IdleAsync(PeersScenario.Rest, stopping);
        if (Trial.Row != PeerRow.Connects)
            return;
        // Once more: during the first connections the process still compiles.
        Leave();
        await Task.Delay(PeersScenario.Rest, Time, stopping);
    }

    protected override async Task MeasureAsync(CancellationToken stopping)
    {
        var start = Stopwatch.GetTimestamp();
        if (Trial.Row == PeerRow.IdleMemory)
        {
            Keep((Trial.Servers.ResidentBytes - _residentBefore) / 1024.0 / Trial.Clients);
        }
        else if (Trial.Row == PeerRow.IdleCpu)
        {
            var cpu = Trial.Servers.Cpu;
            await IdleAsync(Trial.Scenario.Idle, stopping);
            Keep((Trial.Servers.Cpu - cpu)?.TotalMilliseconds / Stopwatch.GetElapsedTime(start).TotalSeconds);
        }
        else
        {
            Array.Clear(_openedAt);
            await OpenAsync(stopping);
            Keep(Trial.Clients / Stopwatch.GetElapsedTime(start).TotalSeconds);
        }
    }

    protected override long? OpenedAt(int client) => Trial.Row == PeerRow.Connects ? _openedAt[client] : null;

    private void Keep(double? value) => Keep(
        PeersScenario.Figure.Name, value ?? throw new ChildException($"What {Trial.Trial.Arm} uses cannot be read."));

    // Each of some threads opens one after the other.
    private Task OpenAsync(CancellationToken stopping)
    {
        var target = Trial.Servers.TargetOf(0);
        var shape = Trial.Shape();
        _clients = [.. Enumerable.Range(0, Trial.Clients).Select(index => new SaturatingClient(target, shape, "", index))];
        return Task.WhenAll(Enumerable.Range(0, Threads).Select(first => Task.Factory.StartNew(
            () => Open(first, stopping), stopping, TaskCreationOptions.LongRunning, TaskScheduler.Default)));
    }

    private void Open(int first, CancellationToken stopping)
    {
        for (var i = first; i < _clients.Length; i += Threads)
        {
            stopping.ThrowIfCancellationRequested();
            _clients[i].Connect();
            _clients[i].Socket.Blocking = false;
            _openedAt[i] = Stopwatch.GetTimestamp();
        }
    }

    private async Task IdleAsync(TimeSpan length, CancellationToken stopping)
    {
        using var end = new CancellationTokenSource(length, Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(end.Token, stopping);
        await Task.Factory.StartNew(
            () => Answer(either.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        stopping.ThrowIfCancellationRequested();
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
