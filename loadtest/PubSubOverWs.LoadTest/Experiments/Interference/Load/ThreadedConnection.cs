using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

/// <summary>Takes what a connection receives, on the thread that waits for it.</summary>
/// <param name="received">What has come and was not taken yet. May be written to.</param>
/// <param name="consumed">How many bytes are taken, from the first one on.</param>
/// <returns>False: nothing more is wanted.</returns>
public delegate bool Taking(Span<byte> received, out int consumed);

/// <summary>
/// A connection of the framework's server with a thread of its own, which waits in the system until bytes come. Between a request and its
/// reply there are two system calls then, and no more code than both need.
/// </summary>
public sealed class ThreadedConnection : DefaultConnectionContext
{
    private const int BufferBytes = 128 << 10;

    private readonly Pipe _received = new();
    // Inline: when a flush returns, its bytes are sent. Otherwise frames could go before the answer to the upgrade.
    private readonly Pipe _toSend = new(new PipeOptions(readerScheduler: PipeScheduler.Inline));
    private readonly TaskCompletionSource<bool> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile Taking? _taking;
    private Task _sending = Task.CompletedTask;

    private ThreadedConnection(Socket socket) : base($"{socket.RemoteEndPoint}")
    {
        Socket = socket;
        LocalEndPoint = socket.LocalEndPoint;
        RemoteEndPoint = socket.RemoteEndPoint;
        Transport = new Ends(_received.Reader, _toSend.Writer);
        Features.Set(this);
    }

    /// <summary>After the upgrade the server writes nothing more to it, and the caller of <see cref="TakeAsync"/> may.</summary>
    public Socket Socket { get; }

    /// <summary>From now on what is received goes to a taker instead of the server, until that wants no more or no more can come.</summary>
    /// <remarks>
    /// To be called before the answer to the upgrade is sent: a client sends nothing before it has that (RFC 6455, section 4.1), and what
    /// one sends together with its request is lost.
    /// </remarks>
    /// <returns>False: the connection broke, or the taker threw an <see cref="InvalidDataException"/>.</returns>
    public Task<bool> TakeAsync(Taking taking)
    {
        _taking = taking;
        return _ended.Task;
    }

    // Nobody here asks for the token that the base would cancel, perhaps after that was disposed.
    public override void Abort(ConnectionAbortedException abortReason)
    {
        Socket.Dispose();
        _received.Writer.CancelPendingFlush();
    }

    /// <summary>The server is done with the connection, and leaves it to this to close it.</summary>
    public override async ValueTask DisposeAsync()
    {
        await Transport.Input.CompleteAsync();
        await Transport.Output.CompleteAsync();
        await _sending;
        await base.DisposeAsync();
    }

    internal static ConnectionContext Start(Socket socket)
    {
        var connection = new ThreadedConnection(socket);
        new Thread(connection.Receive) { IsBackground = true }.Start();
        connection._sending = connection.SendAsync();
        return connection;
    }

    private void Receive()
    {
        var buffer = new byte[BufferBytes];
        var filled = 0;
        var isWhole = true;
        try
        {
            while (Socket.Receive(buffer.AsSpan(filled)) is > 0 and var count
                && TryPass(buffer.AsSpan(0, filled += count), out var consumed))
            {
                buffer.AsSpan(consumed, filled - consumed).CopyTo(buffer);
                filled -= consumed;
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException or InvalidDataException)
        {
            isWhole = false;
        }

        _received.Writer.Complete();
        _ended.SetResult(isWhole);
    }

    private bool TryPass(Span<byte> received, out int consumed)
    {
        if (_taking is { } taking)
            return taking(received, out consumed);
        consumed = received.Length;
        _received.Writer.Write(received);
        // This thread has nothing else to do, and must not go on before there is room.
        return _received.Writer.FlushAsync().AsTask().GetAwaiter().GetResult() is { IsCompleted: false, IsCanceled: false };
    }

    // Never asynchronously: the first such call makes every receive wait for another thread.
    private async Task SendAsync()
    {
        try
        {
            while (await _toSend.Reader.ReadAsync() is { IsCanceled: false } read)
            {
                foreach (var segment in read.Buffer)
                    Socket.Send(segment.Span);
                _toSend.Reader.AdvanceTo(read.Buffer.End);
                if (read.IsCompleted)
                    break;
            }
            Socket.Shutdown(SocketShutdown.Both);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // The client is gone.
        }
        Socket.Dispose();
        await _toSend.Reader.CompleteAsync();
    }

    private sealed record Ends(PipeReader Input, PipeWriter Output) : IDuplexPipe;
}

/// <summary>A loopback port whose connections have a thread each.</summary>
/// <param name="port">0: one that is free.</param>
public sealed class ThreadedEndPoint(int port) : IPEndPoint(IPAddress.Loopback, port);

/// <summary>Has the framework's server accept <see cref="ThreadedConnection"/>s at each <see cref="ThreadedEndPoint"/>.</summary>
public sealed class ThreadedListenerFactory : IConnectionListenerFactory, IConnectionListenerFactorySelector
{
    public bool CanBind(EndPoint endpoint) => endpoint is ThreadedEndPoint;

    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        var socket = new Socket(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Bind(endpoint);
            socket.Listen();
        }
        catch (SocketException error)
        {
            socket.Dispose();
            throw error.SocketErrorCode == SocketError.AddressAlreadyInUse ? new AddressInUseException(error.Message, error) : error;
        }
        return new(new ThreadedListener(socket));
    }
}

/// <summary>Accepts clients at a <see cref="ThreadedEndPoint"/>.</summary>
internal sealed class ThreadedListener(Socket socket) : IConnectionListener
{
    public EndPoint EndPoint { get; } = new ThreadedEndPoint(((IPEndPoint)socket.LocalEndPoint!).Port);

    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        while (true)
        {
            Socket? accepted = null;
            try
            {
                accepted = await socket.AcceptAsync(cancellationToken);
                accepted.NoDelay = true;
                return ThreadedConnection.Start(accepted);
            }
            catch (Exception error) when (error is ObjectDisposedException
                or SocketException { SocketErrorCode: SocketError.OperationAborted })
            {
                return null; // Unbound.
            }
            catch (SocketException error) when (accepted is not null
                || error.SocketErrorCode is SocketError.ConnectionReset or SocketError.ConnectionAborted)
            {
                accepted?.Dispose(); // This client has gone already.
            }
        }
    }

    public ValueTask UnbindAsync(CancellationToken cancellationToken = default) => DisposeAsync();

    public ValueTask DisposeAsync()
    {
        socket.Dispose();
        return default;
    }
}
