using System.Diagnostics;
using System.Net.Sockets;
using System.Text;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.LoadTest.Clients;

namespace PubSubOverWs.LoadTest.Workloads.Interference;

/// <summary>
/// A WebSocket to a stream server, as the published client opens it: no sub-protocol, requests as text messages. A thread of its own
/// receives, so that none that waits for the pool delays a stamp.
/// </summary>
/// <param name="target">The server.</param>
/// <param name="pathAndQuery">Such as <c>/ws</c>.</param>
/// <param name="requests">Its requests; null: it only takes the stream.</param>
public sealed class StreamConnection(ClientTarget target, string pathAndQuery, RequestLog? requests) : IParticipant
{
    private const int BufferBytes = 64 << 10;
    private const byte Binary = 0x2;
    private const byte Ping = 0x9;

    private readonly Socket _socket = new(target.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly TaskCompletionSource<ConnectFailure?> _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _listening = Task.CompletedTask;
    private MessageScanner? _scanner;
    private ConnectFailure? _failure;
    private volatile bool _leaving;
    private volatile bool _aborted;
    private long _stamp;
    private long _bytes;
    private long _messages;

    public bool IsIn => _entered.Task is { IsCompletedSuccessfully: true, Result: null } && Failure is null;

    /// <summary>The first thing that went wrong; null: nothing.</summary>
    public ConnectFailure? Failure => Volatile.Read(ref _failure);

    /// <summary>What has come of the stream so far; may be read from any thread.</summary>
    public StreamCount Streamed => new(Stopwatch.GetTimestamp(), Volatile.Read(ref _messages), Volatile.Read(ref _bytes));

    public async Task EnterAsync(TimeProvider time)
    {
        using var timeout = new CancellationTokenSource(LoadBounds.DefaultConnectTimeout, time);
        await using var abort = timeout.Token.UnsafeRegister(connection => ((StreamConnection)connection!).Abort(), this);
        _listening = Task.Factory.StartNew(Listen, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (await _entered.Task is { } failure)
            GiveUp(failure);
    }

    /// <summary>Sends a request. Its stamp is taken before the system call.</summary>
    /// <param name="number">From 0.</param>
    public void Send(int number)
    {
        if (!IsIn)
            return;
        requests!.SentAt(number, Stopwatch.GetTimestamp());
        if (!TrySend(requests.Frame(number)))
            GiveUp(ConnectFailure.GoneAtSend);
    }

    /// <summary>The same when requests ended.</summary>
    public StreamCount StreamedInAll { get; private set; }

    public Task StopSendingAsync()
    {
        StreamedInAll = Streamed;
        return Task.CompletedTask;
    }

    public void Leave()
    {
        _leaving = true;
        if (IsIn)
            TrySend(ClientFrames.Write(ClientFrames.Close, [0x03, 0xE8], mask: 0)); // 1000: normal closure.
    }

    public Task EndAsync() => _listening;

    public void Abort()
    {
        _aborted = true;
        _socket.Close(0);
    }

    public void Dispose() => _socket.Close(0);

    private void Listen()
    {
        var buffer = new byte[BufferBytes];
        _scanner = new MessageScanner(requests?.MessageBytes ?? 0, Take);
        try
        {
            if (!TryUpgrade(buffer, out var failure))
            {
                _entered.SetResult(failure);
                return;
            }
            _entered.SetResult(null);
            while (_socket.Receive(buffer) is > 0 and var count)
                Read(buffer.AsSpan(0, count));
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            _entered.TrySetResult(_aborted
                ? new ConnectFailure(Cause.ConnectTimeout, "no answer to the upgrade")
                : new ConnectFailure(Cause.ConnectRefused, error is SocketException socket ? $"{socket.SocketErrorCode}" : error.Message));
        }
        catch (InvalidDataException error)
        {
            GiveUp(new ConnectFailure(Cause.ServerClosed, error.Message));
        }
        if (!_leaving)
            GiveUp(new ConnectFailure(Cause.ServerClosed, "the server closed the connection"));
    }

    private bool TryUpgrade(byte[] buffer, out ConnectFailure? failure)
    {
        failure = new ConnectFailure(Cause.HandshakeRejected, "closed during the upgrade");
        _socket.Connect(target.EndPoint);
        var key = UpgradeKey.Create();
        _socket.Send(Encoding.ASCII.GetBytes(
            $"GET {pathAndQuery} HTTP/1.1\r\nHost: {target.Host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + $"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"));
        for (var filled = 0; filled < buffer.Length;)
        {
            if (_socket.Receive(buffer.AsSpan(filled)) is var count && count == 0)
                return false;
            filled += count;
            if (!UpgradeResponse.TryRead(
                buffer.AsSpan(0, filled), UpgradeKey.Accept(key), out var length, out var rejection, subProtocol: null))
                continue;
            failure = rejection is null ? null : new ConnectFailure(Cause.HandshakeRejected, rejection);
            if (failure is null)
                Read(buffer.AsSpan(length, filled - length)); // The server speaks first.
            return failure is null;
        }
        return false;
    }

    private void Read(ReadOnlySpan<byte> bytes)
    {
        _stamp = Stopwatch.GetTimestamp();
        _scanner!.Read(bytes);
        Volatile.Write(ref _bytes, _scanner.PayloadBytes - (requests?.ReplyBytes ?? 0));
    }

    // On the receiving thread.
    private void Take(byte opcode, ReadOnlySpan<byte> beginning, long length)
    {
        if (opcode == Ping)
            TrySend(ClientFrames.Write(ClientFrames.Pong, beginning, mask: 0));
        else if (opcode is ClientFrames.Text or Binary && requests?.TryTake(beginning, length, _stamp) != true)
            Volatile.Write(ref _messages, _messages + 1);
    }

    private bool TrySend(ReadOnlySpan<byte> frame)
    {
        try
        {
            return _socket.Send(frame, SocketFlags.None, out var error) == frame.Length && error == SocketError.Success;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    private void GiveUp(ConnectFailure failure)
    {
        if (Interlocked.CompareExchange(ref _failure, failure, null) is null)
            requests?.GiveUp();
    }
}

/// <summary>What had come of a stream at a moment.</summary>
/// <param name="Stamp">Of <see cref="Stopwatch"/>.</param>
/// <param name="Messages">That had ended.</param>
/// <param name="Bytes">Payload, of the message that had begun, too.</param>
public readonly record struct StreamCount(long Stamp, long Messages, long Bytes);
