using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>
/// The sensors, which tell the server of each measurement when it is due: one request that lasts as long as the iteration, with a chunk for
/// each. It goes to the server itself and through no proxy.
/// </summary>
public sealed class SensorConnection(ClientTarget server) : IParticipant
{
    private static readonly byte[] End = "0\r\n\r\n"u8.ToArray();

    private readonly Socket _socket = new(server.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private volatile bool _isIn;

    public bool IsIn => _isIn && Failure is null;

    /// <summary>Why measurements do not reach the server; null: they do.</summary>
    public ConnectFailure? Failure { get; private set; }

    public async Task EnterAsync(TimeProvider time)
    {
        try
        {
            await _socket.ConnectAsync(server.EndPoint);
            TrySend(Encoding.ASCII.GetBytes(
                $"POST {FeedServer.SensorPath} HTTP/1.1\r\nHost: {server.Host}\r\nTransfer-Encoding: chunked\r\n\r\n"));
            _isIn = true;
        }
        catch (SocketException error)
        {
            Failure = new ConnectFailure(Cause.ConnectRefused, error.Message);
        }
    }

    /// <summary>Never waits: a line always fits the socket's send buffer.</summary>
    public void Send(int channel, int number)
    {
        var line = SensorLines.Write(channel, number);
        TrySend([.. Encoding.ASCII.GetBytes(line.Length.ToString("x", CultureInfo.InvariantCulture)), .. "\r\n"u8, .. line, .. "\r\n"u8]);
    }

    public Task StopSendingAsync() => Task.CompletedTask;

    public void Leave() => TrySend(End);

    public Task EndAsync() => Task.CompletedTask;

    public void Abort() => _socket.Close(0);

    public void Dispose() => _socket.Dispose();

    private void TrySend(byte[] bytes)
    {
        if (Failure is not null)
            return;
        try
        {
            _socket.Send(bytes);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            Failure = new ConnectFailure(Cause.SendError, error.Message);
        }
    }
}
