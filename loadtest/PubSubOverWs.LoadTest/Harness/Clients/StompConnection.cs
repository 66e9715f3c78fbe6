using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.LoadTest.Harness.Clients;

/// <summary>
/// A STOMP connection over a WebSocket directly on a socket, to be cheap: 10,000 of them share one core with the queue. One reader and one
/// writer at a time. Failures of server and network are returned, not thrown.
/// </summary>
/// <param name="receiveBufferBytes">The receive buffer in the system; null: the system's default.</param>
/// <param name="segmentBytes">The largest TCP segment that the server may send, 88 or more; null: the largest that the path allows.</param>
/// <param name="readBytes">Read at once, unless a frame needs more.</param>
public sealed class StompConnection(
    ClientTarget target, int? receiveBufferBytes = null, int? segmentBytes = null, int readBytes = ReceiveBuffer.FirstSize) : IDisposable
{
    // TCP_MAXSEG, for which .NET has no name; the same on Linux and macOS.
    private const int LargestSegment = 2;

    private static readonly byte[] LeaveFrames = StompMessages.Leave();
    private static readonly byte[] CloseFrame = ClientFrames.Write(Opcodes.Close, [], mask: 0);
    private static long _connections;

    private readonly IncomingFrames _incoming = new(readBytes);
    private volatile Socket? _socket;
    private volatile bool _aborted;
    private bool _closing;
    private bool _disposed;

    /// <summary>Why the server's bytes cannot be read; null: they can.</summary>
    public string? Fault => _incoming.Fault;

    /// <summary>Opens the TCP connection and upgrades it to a WebSocket. Null: success.</summary>
    /// <remarks>Takes no token: <see cref="Abort"/> from any thread ends this and every other wait on the connection.</remarks>
    public async Task<ConnectFailure?> OpenAsync()
    {
        try
        {
            var socket = new Socket(target.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            _socket = socket;
            if (receiveBufferBytes is { } size)
                socket.ReceiveBufferSize = size;
            if (segmentBytes is { } most)
                socket.SetRawSocketOption((int)SocketOptionLevel.Tcp, LargestSegment, BitConverter.GetBytes(most));
            if (AddressSpread.For(Interlocked.Increment(ref _connections), target.EndPoint.Address) is { } source)
                socket.Bind(new IPEndPoint(source, 0));
            if (_aborted)
                return TimedOut("TCP connect");
            await socket.ConnectAsync(target.EndPoint);
            return await UpgradeAsync();
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            return _aborted ? TimedOut("TCP connect") : new ConnectFailure(Cause.ConnectRefused, Describe(error));
        }
    }

    /// <summary>Sends CONNECT, and waits for CONNECTED. Null: success.</summary>
    public async Task<ConnectFailure?> LogInAsync()
    {
        if (!TrySend(target.ConnectFrame.Span))
            return Rejected("closed at CONNECT");
        return await ExpectAsync(StompCommand.Connected);
    }

    /// <summary>Waits for one frame, which must have this command. Null: it has.</summary>
    public async Task<ConnectFailure?> ExpectAsync(StompCommand command)
    {
        do
        {
            if (TryRead(out var frame))
                return frame.Command == command ? null : Rejected(Describe(frame));
        }
        while (await ReceiveAsync());
        return Ended($"{command}");
    }

    /// <summary>Sends SUBSCRIBE, and waits for its receipt. Null: success. Messages kept for the subscription may come before it.</summary>
    /// <param name="subscribe">From <see cref="StompMessages.Subscribe"/>.</param>
    /// <param name="take">Called for each of them, with the stamp of its receive (<see cref="Stopwatch"/>).</param>
    public async Task<ConnectFailure?> SubscribeAsync(ReadOnlyMemory<byte> subscribe, Action<StompFrame, long> take)
    {
        if (!TrySend(subscribe.Span))
            return _aborted ? TimedOut("SUBSCRIBE") : Rejected("closed at SUBSCRIBE");
        do
        {
            var stamp = Stopwatch.GetTimestamp();
            while (TryRead(out var frame))
            {
                if (frame.Command == StompCommand.Receipt)
                    return null;
                if (frame.Command != StompCommand.Message)
                    return Rejected(Describe(frame));
                take(frame, stamp);
            }
        }
        while (await ReceiveAsync());
        return Ended("SUBSCRIBE");
    }

    /// <summary>Sends a WebSocket frame. False: the connection is lost.</summary>
    /// <remarks>
    /// Synchronous on purpose: a frame of a few hundred bytes always fits the socket's send buffer, and the caller's time stamp should be
    /// that of the system call.
    /// </remarks>
    public bool TrySend(ReadOnlySpan<byte> frame) => _socket is { } socket && ClientFrames.TrySend(socket, frame);

    /// <summary>
    /// Sends WebSocket frames, however many bytes they have: unlike <see cref="TrySend"/> it leaves the thread to others while the send
    /// buffer is full. False: the connection is lost.
    /// </summary>
    public async ValueTask<bool> SendAsync(ReadOnlyMemory<byte> frames)
    {
        try
        {
            return _socket is { } socket && await socket.SendAsync(frames) == frames.Length;
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            return false;
        }
    }

    /// <summary>Waits for more bytes. False: the connection was closed, lost or aborted.</summary>
    /// <param name="most">The most bytes to receive: 1 or more.</param>
    public async ValueTask<bool> ReceiveAsync(int most = int.MaxValue)
    {
        try
        {
            var room = _incoming.GetMemory();
            var count = await _socket!.ReceiveAsync(room.Length > most ? room[..most] : room);
            _incoming.Received(count);
            return count > 0;
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            return false;
        }
    }

    /// <summary>The next received frame. False: receive more; after bytes that are not STOMP (<see cref="Fault"/>), it is closed.</summary>
    public bool TryRead(out StompFrame frame)
    {
        var whole = _incoming.TryRead(out frame);
        if (_incoming.TakePing() is { } ping)
            TrySend(ClientFrames.Write(Opcodes.Pong, ping, mask: 0));
        if (_incoming.Closed)
            AnswerClose();
        if (Fault is not null)
            Abort();
        return whole;
    }

    /// <summary>Sends DISCONNECT and a close frame. When the server has closed, <see cref="ReceiveAsync"/> returns false.</summary>
    public void Leave()
    {
        _closing = true;
        TrySend(LeaveFrames);
    }

    /// <summary>Closes the connection at once, from any thread; pending calls return false, or a time-out failure.</summary>
    public void Abort()
    {
        _aborted = true;
        _socket?.Close(0);
    }

    /// <summary>Aborts when the token is cancelled, unless the result is disposed first.</summary>
    public CancellationTokenRegistration AbortOn(CancellationToken token) =>
        token.UnsafeRegister(connection => ((StompConnection)connection!).Abort(), this);

    /// <summary>
    /// Closes without lingering. After the server's own close no side keeps a port in TIME_WAIT, so the next iteration has all ports.
    /// </summary>
    public void Dispose()
    {
        if (_disposed)
            return;
        _disposed = true;
        _socket?.Close(0);
        _incoming.Dispose();
    }

    private async Task<ConnectFailure?> UpgradeAsync()
    {
        var key = UpgradeKey.Create();
        if (!TrySend(target.UpgradeRequest(key)))
            return Rejected("closed at the upgrade request");
        var accept = UpgradeKey.Accept(key);
        while (await ReceiveAsync())
        {
            if (_incoming.TryReadUpgrade(accept, out var rejection))
                return rejection is null ? null : Rejected(rejection);
        }
        return _aborted ? TimedOut("upgrade") : Rejected("closed during the upgrade");
    }

    // Servers may wait for it before they close the connection (RFC 6455, section 5.5.1).
    private void AnswerClose()
    {
        if (_closing)
            return;
        _closing = true;
        TrySend(CloseFrame);
    }

    private static string Describe(Exception error) => error is SocketException socket ? socket.SocketErrorCode.ToString() : error.Message;

    private static string Describe(StompFrame frame) => frame.Command == StompCommand.Error
        ? $"ERROR {frame.GetString(StompNames.Message)}"
        : $"unexpected {frame.Command}";

    private ConnectFailure Ended(string before) =>
        Fault is { } fault ? Rejected(fault) : _aborted ? TimedOut(before) : Rejected($"closed before {before}");

    private static ConnectFailure Rejected(string detail) => new(Cause.HandshakeRejected, detail);

    private static ConnectFailure TimedOut(string step) => new(Cause.ConnectTimeout, $"no answer to {step}");
}

/// <summary>Why a client could not connect or stay connected.</summary>
/// <param name="Detail">For events.csv: a status, a socket error, the text of an ERROR frame. Equal failures have equal text.</param>
public sealed record ConnectFailure(Cause Cause, string Detail)
{
    public static ConnectFailure GoneAtSend { get; } = new(Cause.SendError, "the connection was gone at SEND");

    /// <summary>The server ended the connection with an ERROR frame.</summary>
    public static ConnectFailure From(StompFrame error) => new(Cause.ServerClosed, $"ERROR {error.GetString(StompNames.Message)}");

    /// <summary>Such as <c>handshake-rejected(503)</c>.</summary>
    public override string ToString() => $"{Kebab.Text(Cause)}({Detail})";
}

/// <summary>
/// Lets the thread that is notified of a socket's bytes also read, stamp and count them. By default the runtime passes each notification to
/// the thread pool, which wakes another thread for it: on one core that is most of the cost of a client.
/// </summary>
/// <remarks>Read once by System.Net.Sockets/src/System/Net/Sockets/SocketAsyncEngine.Unix.cs of the runtime.</remarks>
public static class InlineCompletions
{
    /// <summary>Removed from the environment of every child: a server is measured as it runs by default.</summary>
    public const string Variable = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    /// <summary>Must come before the first socket of this process.</summary>
    public static void Enable() => Environment.SetEnvironmentVariable(Variable, "1");
}
