using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.LoadTest.Harness.Network;

/// <summary>Accepts connections on a port of its own and passes their bytes on to a server, through toxics.</summary>
/// <param name="most">Connections at a time; further ones are reset. Each takes two descriptors.</param>
public sealed class ToxicProxy(IPEndPoint server, int most, TimeProvider time) : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private readonly Dictionary<long, ProxiedConnection> _open = [];
    private readonly Dictionary<long, Task> _serving = [];
    private readonly CancellationTokenSource _stopping = new();
    private readonly Valve _valve = new();
    private readonly ProxyClock _clock = new(time);
    private readonly ProxyMeter _meter = new();
    private ProxyListener? _listener;
    private ToxicSet _set = ToxicSet.None;
    private int _taken;
    private long _next;

    /// <summary>Where clients connect, after <see cref="Accept"/>.</summary>
    public IPEndPoint EndPoint => _listener!.EndPoint;

    public ProxyCounts Counts
    {
        get
        {
            lock (_lock)
                return _meter.Counts(_open.Count);
        }
    }

    /// <summary>Listens, always on the same port.</summary>
    /// <exception cref="SocketException">Another process took the port meanwhile.</exception>
    public void Accept()
    {
        lock (_lock)
        {
            if (_listener is null)
                _listener = new ProxyListener(Welcome, time);
            else
                _listener.Open();
        }
    }

    /// <summary>Stops listening; connections stay open.</summary>
    public void Refuse()
    {
        lock (_lock)
            _listener?.Close();
    }

    /// <summary>Stalls all connections; they stay open.</summary>
    public void Stall() => _valve.Shut();

    public void Resume() => _valve.Open();

    /// <summary>Replaces the toxics, for all open and all later connections.</summary>
    public void Set(ToxicSet set)
    {
        lock (_lock)
        {
            _set = set;
            foreach (var connection in _open.Values)
                connection.Apply(set, atOpening: false);
        }
    }

    /// <summary>Resets a share of the open connections, on both sides.</summary>
    /// <param name="share">0 to 1.</param>
    /// <param name="seed">Chooses them.</param>
    /// <returns>The number of connections.</returns>
    public int Cut(double share, long seed)
    {
        ProxiedConnection[] chosen;
        lock (_lock)
            chosen = [.. Draws.Share(_open.Keys, share, seed).Select(number => _open[number])];
        return chosen.Count(connection => connection.End(Ending.Cut, Direction.Both));
    }

    public async ValueTask DisposeAsync()
    {
        if (_stopping.IsCancellationRequested)
            return;
        Refuse();
        await _stopping.CancelAsync();
        Cut(share: 1, seed: 0);
        Task[] serving;
        lock (_lock)
            serving = [.. _serving.Values];
        await Task.WhenAll(serving);
        if (_listener is { } listener)
        {
            listener.Dispose();
            await listener.Served;
        }
        _stopping.Dispose();
    }

    private void Welcome(Socket client)
    {
        lock (_lock)
        {
            if (_taken < most && !_stopping.IsCancellationRequested)
            {
                var number = _next++;
                _taken++;
                _meter.Accepted();
                // No token: serving also closes the socket.
                _serving.Add(number, Task.Run(() => ServeAsync(number, client), CancellationToken.None));
                return;
            }
        }
        _meter.Refused();
        SocketEnd.Close(client, withReset: true);
    }

    private async Task ServeAsync(long number, Socket client)
    {
        if (await ReachServerAsync(number) is { } reached)
        {
            await PassAsync(number, client, reached);
        }
        else
        {
            SocketEnd.Close(client, withReset: true);
            lock (_lock)
                _taken--;
        }
        lock (_lock)
            _serving.Remove(number);
    }

    private async Task PassAsync(long number, Socket client, Socket reached)
    {
        using var connection = new ProxiedConnection(number, client, reached, _valve, _clock, _meter);
        lock (_lock)
        {
            _open.Add(number, connection);
            connection.Apply(_set, atOpening: true);
        }
        if (_stopping.IsCancellationRequested)
            connection.End(Ending.Cut, Direction.Both);
        var ending = await connection.RunAsync();
        lock (_lock)
        {
            _open.Remove(number);
            _taken--;
            _meter.Ended(ending);
        }
    }

    /// <summary>Null: the server does not accept a connection.</summary>
    private async Task<Socket?> ReachServerAsync(long number)
    {
        var socket = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
            ReceiveBufferSize = ProxyListener.SystemBufferBytes,
            SendBufferSize = ProxyListener.SystemBufferBytes,
        };
        try
        {
            if (AddressSpread.For(number, server.Address) is { } source)
                socket.Bind(new IPEndPoint(source, 0));
            await socket.ConnectAsync(server, _stopping.Token);
            return socket;
        }
        catch (Exception error) when (error is SocketException or OperationCanceledException)
        {
            _meter.Unreachable();
            socket.Dispose();
            return null;
        }
    }
}

/// <summary>The time since the proxy started.</summary>
public sealed class ProxyClock(TimeProvider time)
{
    // Timers of the runtime drop fractions of a millisecond.
    private readonly TimeSpan _tick = time is FineTime ? TimeSpan.FromTicks(1) : TimeSpan.FromMilliseconds(1);

    private readonly long _began = time.GetTimestamp();

    public TimeProvider Time => time;

    public TimeSpan Now => time.GetElapsedTime(_began);

    /// <summary>The time until <paramref name="at"/>, rounded up to what timers can do: whole milliseconds, but for fine ones.</summary>
    public TimeSpan Until(TimeSpan at)
    {
        var left = at - Now;
        return left <= TimeSpan.Zero ? TimeSpan.Zero : _tick * Math.Ceiling(left / _tick);
    }
}

/// <summary>Counts connections and bytes. Thread-safe.</summary>
public sealed class ProxyMeter
{
    private readonly long[] _ended = new long[Enum.GetValues<Ending>().Length];
    private long _accepted;
    private long _refused;
    private long _unreachable;
    private long _bytesToServer;
    private long _bytesToClient;

    public void Accepted() => Interlocked.Increment(ref _accepted);

    public void Refused() => Interlocked.Increment(ref _refused);

    public void Unreachable() => Interlocked.Increment(ref _unreachable);

    public void Ended(Ending ending) => Interlocked.Increment(ref _ended[(int)ending]);

    public void ToServer(int bytes) => Interlocked.Add(ref _bytesToServer, bytes);

    public void ToClient(int bytes) => Interlocked.Add(ref _bytesToClient, bytes);

    public ProxyCounts Counts(int open) => new(
        open, Volatile.Read(ref _accepted), Volatile.Read(ref _refused), Volatile.Read(ref _unreachable),
        Of(Ending.Closed), Of(Ending.Broken), Of(Ending.Limited), Of(Ending.Reset), Of(Ending.Cut),
        Volatile.Read(ref _bytesToServer), Volatile.Read(ref _bytesToClient));

    private long Of(Ending ending) => Volatile.Read(ref _ended[(int)ending]);
}

/// <summary>How a proxied connection ended.</summary>
public enum Ending
{
    /// <summary>Both sides had finished.</summary>
    Closed,

    /// <summary>One side reset it or disappeared; the other side was reset.</summary>
    Broken,

    /// <summary>A limit was reached.</summary>
    Limited,

    /// <summary>A toxic reset it.</summary>
    Reset,

    /// <summary>It was cut on demand, or the proxy stopped.</summary>
    Cut,
}

/// <summary>The counts of a proxy since it started: connections, those that ended by <see cref="Ending"/>, and written bytes.</summary>
/// <param name="Open">Currently open connections.</param>
/// <param name="Refused">Reset because of the limit on connections. Those that found no listener are not counted.</param>
/// <param name="Unreachable">Reset because the server did not accept the connection to it.</param>
public sealed record ProxyCounts(
    int Open, long Accepted, long Refused, long Unreachable, long Closed, long Broken, long Limited, long Reset, long Cut,
    long BytesToServer, long BytesToClient);
