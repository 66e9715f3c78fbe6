using System.Diagnostics;
using System.Net.WebSockets;
using System.Threading.Channels;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

/// <summary>
/// A WebSocket that is a stream of an HTTP/2 connection (RFC 8441): the framework's client, whose work is done by pool threads. So its
/// round trips are longer than those of <see cref="StreamConnection"/> by some changes of threads.
/// </summary>
/// <param name="connection">Shared by the WebSockets of one client.</param>
/// <param name="pathAndQuery">Such as <c>/ws</c>.</param>
/// <param name="requests">Its requests; null: it only takes the stream.</param>
public sealed class Http2Client(Http2Connection connection, string pathAndQuery, RequestLog? requests) : StreamClient(requests)
{
    private const int BufferBytes = 64 << 10;

    private readonly ClientWebSocket _socket = new();
    private readonly CancellationTokenSource _aborted = new();
    private readonly Channel<int> _due = Channel.CreateBounded<int>(requests?.Count ?? 1);
    private Task _running = Task.CompletedTask;
    private volatile bool _leaving;

    public override bool IsIn => _socket.State == WebSocketState.Open && Failure is null;

    public override async Task EnterAsync(TimeProvider time)
    {
        using var timeout = new CancellationTokenSource(LoadBounds.DefaultConnectTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, _aborted.Token);
        try
        {
            await connection.ConnectAsync(_socket, pathAndQuery, either.Token);
            _running = Task.WhenAll(ReceiveAsync(), SendAsync());
        }
        catch (Exception error) when (error is WebSocketException or HttpRequestException or OperationCanceledException)
        {
            GiveUp(new ConnectFailure(
                either.IsCancellationRequested ? Cause.ConnectTimeout : Cause.HandshakeRejected, "no WebSocket over HTTP/2"));
        }
    }

    public override void Send(int number)
    {
        if (!IsIn)
            return;
        Requests!.SentAt(number, Stopwatch.GetTimestamp());
        _due.Writer.TryWrite(number);
    }

    public override void Leave()
    {
        _leaving = true;
        _due.Writer.TryComplete();
    }

    public override Task EndAsync() => _running;

    public override void Abort()
    {
        _due.Writer.TryComplete();
        _aborted.Cancel();
        _socket.Dispose();
        connection.Dispose();
    }

    // The last thing that it sends is the close.
    private async Task SendAsync()
    {
        try
        {
            await foreach (var number in _due.Reader.ReadAllAsync(_aborted.Token))
                await _socket.SendAsync(Requests!.Message(number), WebSocketMessageType.Text, endOfMessage: true, _aborted.Token);
            if (_socket.State == WebSocketState.Open)
                await _socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, _aborted.Token);
        }
        catch (Exception error) when (IsEnd(error))
        {
            End();
        }
    }

    private async Task ReceiveAsync()
    {
        var buffer = new byte[BufferBytes];
        var beginning = new byte[Requests?.MessageBytes ?? 0];
        var all = 0L;
        var length = 0L;
        try
        {
            while (await _socket.ReceiveAsync(buffer.AsMemory(), _aborted.Token) is { MessageType: not WebSocketMessageType.Close } part)
            {
                var stamp = Stopwatch.GetTimestamp();
                if (length < beginning.Length)
                    buffer.AsSpan(0, (int)Math.Min(part.Count, beginning.Length - length)).CopyTo(beginning.AsSpan((int)length));
                length += part.Count;
                all += part.Count;
                if (part.EndOfMessage)
                {
                    Take(beginning.AsSpan(0, (int)Math.Min(length, beginning.Length)), length, stamp);
                    length = 0;
                }
                Count(all);
            }
        }
        catch (Exception error) when (IsEnd(error))
        {
            // As after a close.
        }
        End();
    }

    private void End()
    {
        _due.Writer.TryComplete();
        if (!_leaving)
            GiveUp(new ConnectFailure(Cause.ServerClosed, "the server closed the connection"));
    }

    private static bool IsEnd(Exception error) => error is WebSocketException or OperationCanceledException or ObjectDisposedException;
}

/// <summary>One HTTP/2 connection to a stream server, without TLS.</summary>
/// <param name="target">Where it answers HTTP/1.1, and says where it speaks HTTP/2.</param>
public sealed class Http2Connection(ClientTarget target) : IDisposable
{
    private readonly HttpMessageInvoker _connection = new(new SocketsHttpHandler { UseProxy = false });

    /// <summary>A client whose WebSocket is on it; one that aborts ends it for all.</summary>
    public StreamClient Client(string pathAndQuery, RequestLog? requests) => new Http2Client(this, pathAndQuery, requests);

    /// <summary>Opens a WebSocket on it.</summary>
    public async Task ConnectAsync(ClientWebSocket socket, string pathAndQuery, CancellationToken cancellationToken)
    {
        using var http = new HttpClient(new SocketsHttpHandler { UseProxy = false });
        var port = await http.GetStringAsync(new Uri(target.Address, StreamServer.Http2PortPath), cancellationToken);
        socket.Options.HttpVersion = HttpVersion.Version20;
        socket.Options.HttpVersionPolicy = HttpVersionPolicy.RequestVersionExact;
        await socket.ConnectAsync(new Uri($"ws://{target.EndPoint.Address}:{port}{pathAndQuery}"), _connection, cancellationToken);
    }

    public void Dispose() => _connection.Dispose();
}
