using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Options;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>
/// A connection of a socket for Kestrel, which is read and written without pipes between, and takes little memory: what few ask for is made
/// when it is asked for.
/// </summary>
internal sealed partial class LeanConnection : ConnectionContext, IDuplexPipe, IConnectionIdFeature, IConnectionTransportFeature,
    IConnectionItemsFeature, IConnectionLifetimeFeature, IConnectionEndPointFeature, IConnectionSocketFeature, IMemoryPoolFeature
{
    private static long s_last;

    private readonly Socket _socket;
    private readonly LingeringClose _closing;
    private readonly TakenConnections _others;
    private bool _isTaken;
    private string? _id;
    private IDuplexPipe? _transport;
    private IDictionary<object, object?>? _items;
    private CancellationTokenSource? _closed;
    private bool _isClosed;

    public LeanConnection(Socket socket, TakenConnections taken, LingeringClose closing)
    {
        _socket = socket;
        _others = taken;
        _closing = closing;
        socket.Blocking = false;
        Input = new SocketReader(socket);
        Output = new SocketWriter(socket);
        RemoteEndPoint = socket.RemoteEndPoint;
    }

    Socket IConnectionSocketFeature.Socket => _socket;

    public PipeReader Input { get; }

    public PipeWriter Output { get; }

    public override IDuplexPipe Transport
    {
        get => _transport ?? this;
        set => _transport = value;
    }

    public override string ConnectionId
    {
        get => _id ??= Interlocked.Increment(ref s_last).ToString("X", CultureInfo.InvariantCulture);
        set => _id = value;
    }

    public override IFeatureCollection Features => this;

    public override IDictionary<object, object?> Items
    {
        get => _items ??= new Dictionary<object, object?>();
        set => _items = value;
    }

    public override EndPoint? LocalEndPoint
    {
        get
        {
            try
            {
                return base.LocalEndPoint ??= _socket.LocalEndPoint;
            }
            catch (ObjectDisposedException)
            {
                // Asked for the first time when the connection is closed.
                return null;
            }
        }
        set => base.LocalEndPoint = value;
    }

    public MemoryPool<byte> MemoryPool => MemoryPool<byte>.Shared;

    /// <summary>Cancelled when the connection is closed here.</summary>
    public override CancellationToken ConnectionClosed
    {
        get
        {
            lock (this)
                return _isClosed ? new CancellationToken(canceled: true) : (_closed ??= new CancellationTokenSource()).Token;
        }
        set => throw new NotSupportedException();
    }

    public override void Abort(ConnectionAbortedException abortReason) => Close(isAbort: true);

    /// <summary>Closes it; if it was taken, forgets only what the web server kept here.</summary>
    public override async ValueTask DisposeAsync()
    {
        if (_isTaken)
            Forget();
        else
            await EndAsync();
        await base.DisposeAsync();
    }

    /// <summary>
    /// Takes it out of the web server's hands, which looks after each of its connections every second and keeps objects for it: it forgets
    /// it when what it called returns, and closes it no more (docs/decisions/0185).
    /// </summary>
    /// <param name="serving">When that is over, the connection is closed.</param>
    /// <returns>False: something, such as TLS, stands between and must be closed first; it stays as it was.</returns>
    public bool TryTake(Task serving, ILogger log)
    {
        if (_transport is not null)
            return false;
        _isTaken = true;
        _others.Enter(this);
        _ = CloseAfterAsync(serving, log);
        return true;
    }

    private async Task CloseAfterAsync(Task serving, ILogger log)
    {
        try
        {
            await serving;
        }
        catch (Exception failure)
        {
            log.ServingFailed(RemoteEndPoint, failure);
        }
        finally
        {
            try
            {
                await EndAsync();
            }
            finally
            {
                _others.Leave(this);
            }
        }
    }

    private async Task EndAsync()
    {
        // A read that is under way ends.
        Input.CancelPendingRead();
        try
        {
            if (!Volatile.Read(ref _isClosed))
                await _closing.RunAsync(this, _socket, Input);
        }
        finally
        {
            Close(isAbort: false);
            Input.Complete();
            Output.Complete();
        }
    }

    private void Close(bool isAbort)
    {
        CancellationTokenSource? closed;
        lock (this)
        {
            if (_isClosed)
                return;
            _isClosed = true;
            closed = _closed;
        }
        // A reset, if it is cut: the client is not to wait for what does not come.
        if (isAbort)
            _socket.Close(0);
        else
            _socket.Dispose();
        // On the thread pool: who waits for it may need what the caller has locked.
        _ = closed?.CancelAsync();
    }
}

/// <summary>With the lean front end, the connections over TCP are <see cref="LeanConnection"/>s.</summary>
internal sealed class LeanTransport(
    IOptions<RelayOptions> relay, IOptions<SocketTransportOptions> options, TimeProvider time, ILoggerFactory logs)
    : PortTransport(options, time, logs)
{
    private readonly TimeProvider _time = time;

    protected override (Func<Socket, ConnectionContext> Open, Func<ValueTask> Closed) OpenConnections(EndPoint endpoint)
    {
        if (relay.Value.FrontEnd != FrontEnd.Lean || endpoint is not IPEndPoint)
            return base.OpenConnections(endpoint);
        var taken = new TakenConnections(_time);
        var closing = new LingeringClose(relay.Value.CloseTimeout, _time);
        return (accepted => new LeanConnection(accepted, taken, closing), () => new(taken.EndAsync()));
    }
}
