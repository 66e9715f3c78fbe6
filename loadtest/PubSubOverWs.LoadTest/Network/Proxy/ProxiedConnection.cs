using System.Net.Sockets;
using PubSubOverWs.LoadTest.Network.Toxics;

namespace PubSubOverWs.LoadTest.Network.Proxy;

/// <summary>A client's connection and the one to the server that belongs to it. They end together.</summary>
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

    /// <param name="number">As connections came, from 0.</param>
    /// <param name="client">Connected; belongs to this object from now on.</param>
    /// <param name="server">The same.</param>
    /// <param name="valve">Of the proxy.</param>
    /// <param name="clock">Of the proxy.</param>
    /// <param name="meter">Counts the bytes.</param>
    public ProxiedConnection(long number, Socket client, Socket server, Valve valve, ProxyClock clock, ProxyMeter meter)
    {
        (Number, _client, _server, _valve, _clock) = (number, client, server, valve, clock);
        _clientStream = new NetworkStream(client);
        _serverStream = new NetworkStream(server);
        _toServer = new Link(_clientStream, _serverStream, valve, clock, meter.ToServer);
        _toClient = new Link(_serverStream, _clientStream, valve, clock, meter.ToClient);
        _reset = clock.Time.CreateTimer(_ => End(Ending.Reset, _seesReset), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public long Number { get; }

    /// <summary>These toxics, and no others, from now on. Not from two threads at once.</summary>
    /// <param name="set">All of the proxy's; which of them it meets is drawn.</param>
    /// <param name="atOpening">The connection is new.</param>
    public void Apply(ToxicSet set, bool atOpening)
    {
        var toxics = ConnectionToxics.Draw(set, Number, _clock.Now, atOpening);
        _toServer.Apply(toxics.ToServer);
        _toClient.Apply(toxics.ToClient);
        _seesReset = toxics.SeesReset;
        _reset.Change(toxics.ResetAt is { } at ? _clock.Until(at) : Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Passes bytes on until the connection has ended; nothing of it is left then but to dispose it.</summary>
    public async Task<Ending> RunAsync()
    {
        await Task.WhenAll(ReadAsync(_toServer), ReadAsync(_toClient), WriteAsync(_toServer, _server), WriteAsync(_toClient, _client));
        End(Ending.Closed, Direction.None);
        return await _ended.Task;
    }

    /// <summary>Ends it at once. False: it was ending already.</summary>
    /// <param name="ending">Why.</param>
    /// <param name="seesReset">The side that sees a reset; the other sees an ordinary close.</param>
    public bool End(Ending ending, Direction seesReset)
    {
        if (Interlocked.Exchange(ref _isEnding, 1) != 0)
            return false;
        End(_client, seesReset.HasFlag(Direction.ToClient));
        End(_server, seesReset.HasFlag(Direction.ToServer));
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

    private static void End(Socket socket, bool withReset)
    {
        if (withReset)
            SocketEnd.Reset(socket);
        else
            SocketEnd.Close(socket);
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

    /// <summary>What one side did to its connection is done to the other's, unless nothing passes for now.</summary>
    private async Task BreakAsync()
    {
        try
        {
            await _valve.PassAsync(_ends.Token);
        }
        catch (OperationCanceledException)
        {
            // It is ending already, and End does nothing.
        }
        End(Ending.Broken, Direction.Both);
    }

    private static bool IsEnd(Exception error) =>
        error is IOException or SocketException or ObjectDisposedException or OperationCanceledException;
}

/// <summary>The two ways in which a TCP connection ends, from any thread.</summary>
public static class SocketEnd
{
    /// <summary>An ordinary close (FIN), unless there are unread bytes.</summary>
    public static void Close(Socket socket)
    {
        try
        {
            // The runtime resets a socket that is closed during a read without a shutdown.
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (SocketException)
        {
            // The other side was faster.
        }
        socket.Close();
    }

    /// <summary>A reset (RST): the other side's reads and writes fail, and what is under way is lost.</summary>
    public static void Reset(Socket socket)
    {
        try
        {
            socket.LingerState = new LingerOption(true, 0);
        }
        catch (SocketException)
        {
            // The other side was faster.
        }
        socket.Close();
    }
}
