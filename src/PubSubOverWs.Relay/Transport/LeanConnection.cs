using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;

namespace PubSubOverWs.Relay;

/// <summary>
/// A connection of a socket for Kestrel, which is read and written without pipes between, and takes little memory: what few ask for is made
/// when it is asked for.
/// </summary>
internal sealed partial class LeanConnection : ConnectionContext, IDuplexPipe, IConnectionIdFeature, IConnectionTransportFeature,
    IConnectionItemsFeature, IConnectionLifetimeFeature, IConnectionEndPointFeature, IMemoryPoolFeature
{
    private static long s_last;

    private readonly Socket _socket;
    private string? _id;
    private IDuplexPipe? _transport;
    private IDictionary<object, object?>? _items;
    private CancellationTokenSource? _closed;
    private bool _isClosed;

    public LeanConnection(Socket socket)
    {
        _socket = socket;
        socket.Blocking = false;
        Input = new SocketReader(socket);
        Output = new SocketWriter(socket);
        RemoteEndPoint = socket.RemoteEndPoint;
    }

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
        get => base.LocalEndPoint ??= _socket.LocalEndPoint;
        set => base.LocalEndPoint = value;
    }

    public MemoryPool<byte> MemoryPool => MemoryPool<byte>.Shared;

    /// <summary>Cancelled when the connection is closed here.</summary>
    public override CancellationToken ConnectionClosed
    {
        get
        {
            lock (this)
            {
                _closed ??= new CancellationTokenSource();
                if (_isClosed)
                    _closed.Cancel();
                return _closed.Token;
            }
        }
        set => throw new NotSupportedException();
    }

    public override void Abort(ConnectionAbortedException abortReason) => Close(isAbort: true);

    public override ValueTask DisposeAsync()
    {
        Close(isAbort: false);
        Input.Complete();
        Output.Complete();
        return base.DisposeAsync();
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
        if (isAbort)
        {
            // A reset: the client is not to wait for what does not come.
            _socket.Close(0);
        }
        else
        {
            try
            {
                _socket.Shutdown(SocketShutdown.Both);
            }
            catch (SocketException)
            {
                // The client was faster.
            }
            _socket.Dispose();
        }
        closed?.Cancel();
    }
}
