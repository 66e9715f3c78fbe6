namespace PubSubOverWs.LoadTest.Harness.Network;

/// <summary>A client's connection and its connection to the server. They end together.</summary>
public sealed class ProxiedConnection : IDisposable
{
    private readonly Socket _client;
    private readonly Socket _server;
    private readonly NetworkStream _clientStream;
    private readonly NetworkStream _serverStream;
    private readonly Link _toServer;
    private readonly Link _toClient;
    private readonly Valve _valve;
    private readonly ProxyClock _clock;
    private readonly ITimer _reset;
    private readonly CancellationTokenSource _ends = new();
    private readonly TaskCompletionSource<Ending> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Direction _seesReset;
    private int _isEnding;

    /// <param name="number">In the order of arrival, from 0.</param>
    /// <param name="client">Connected, and owned by this object from now on, like <paramref name="server"/>.</param>
    public ProxiedConnection(long number, Socket client, Socket server, Valve valve, ProxyClock clock, ProxyMeter meter)
    {
        Number = number;
        _client = client;
        _server = server;
        _valve = valve;
        _clock = clock;
        _clientStream = new NetworkStream(client);
        _serverStream = new NetworkStream(server);
        _toServer = new Link(_clientStream, _serverStream, valve, clock, meter.ToServer);
        _toClient = new Link(_serverStream, _clientStream, valve, clock, meter.ToClient);
        _reset = clock.Time.CreateTimer(_ => End(Ending.Reset, _seesReset), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public long Number { get; }

    /// <summary>Replaces the toxics. Not thread-safe.</summary>
    /// <param name="set">All toxics of the proxy, of which those of this connection are drawn.</param>
    /// <param name="atOpening">The connection is new.</param>
    public void Apply(ToxicSet set, bool atOpening)
    {
        var toxics = ConnectionToxics.Draw(set, Number, _clock.Now, atOpening);
        _toServer.Apply(toxics.ToServer);
        _toClient.Apply(toxics.ToClient);
        _seesReset = toxics.SeesReset;
        _reset.Change(toxics.ResetAt is { } at ? _clock.Until(at) : Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Passes bytes on until the connection has ended.</summary>
    public async Task<Ending> RunAsync()
    {
        await Task.WhenAll(ReadAsync(_toServer), ReadAsync(_toClient), WriteAsync(_toServer, _server), WriteAsync(_toClient, _client));
        End(Ending.Closed, Direction.None);
        return await _ended.Task;
    }

    /// <summary>Ends it at once. False: it was ending already.</summary>
    /// <param name="seesReset">The side that sees a reset; the other sees an ordinary close.</param>
    public bool End(Ending ending, Direction seesReset)
    {
        if (Interlocked.Exchange(ref _isEnding, 1) != 0)
            return false;
        SocketEnd.Close(_client, withReset: seesReset.HasFlag(Direction.ToClient));
        SocketEnd.Close(_server, withReset: seesReset.HasFlag(Direction.ToServer));
        _ends.Cancel();
        _ended.SetResult(ending);
        return true;
    }

    public void Dispose()
    {
        _reset.Dispose();
        _ends.Dispose();
        _toServer.Dispose();
        _toClient.Dispose();
        _clientStream.Dispose();
        _serverStream.Dispose();
        _client.Dispose();
        _server.Dispose();
    }

    private async Task ReadAsync(Link link)
    {
        try
        {
            await link.ReadAsync(_ends.Token);
        }
        catch (Exception error) when (IsEnd(error))
        {
            await BreakAsync();
        }
    }

    private async Task WriteAsync(Link link, Socket sink)
    {
        try
        {
            if (await link.WriteAsync(_ends.Token))
                sink.Shutdown(SocketShutdown.Send);
            else
                End(Ending.Limited, Direction.None);
        }
        catch (Exception error) when (IsEnd(error))
        {
            await BreakAsync();
        }
    }

    /// <summary>Passes a break on to the other side, after a stall if there is one.</summary>
    private async Task BreakAsync()
    {
        try
        {
            await _valve.PassAsync(_ends.Token);
        }
        catch (OperationCanceledException)
        {
            // It is ending already, so End has no effect.
        }
        End(Ending.Broken, Direction.Both);
    }

    private static bool IsEnd(Exception error) =>
        error is IOException or SocketException or ObjectDisposedException or OperationCanceledException;
}

/// <summary>Ends a TCP connection, from any thread.</summary>
public static class SocketEnd
{
    /// <param name="withReset">
    /// With a reset (RST): the other side's reads and writes fail, and bytes in transit are lost. Otherwise an ordinary close (FIN), unless
    /// there are unread bytes.
    /// </param>
    public static void Close(Socket socket, bool withReset)
    {
        try
        {
            if (withReset)
                socket.LingerState = new LingerOption(true, 0);
            else
                socket.Shutdown(SocketShutdown.Both); // Without it, closing a socket during a read resets it.
        }
        catch (SocketException)
        {
            // The other side was faster.
        }
        socket.Close();
    }
}
