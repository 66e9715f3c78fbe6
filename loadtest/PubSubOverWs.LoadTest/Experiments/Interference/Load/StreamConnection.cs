using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

/// <summary>A WebSocket on a TCP connection of its own. A thread of its own receives, so that no other work delays a stamp.</summary>
/// <param name="pathAndQuery">Such as <c>/ws</c>.</param>
/// <param name="requests">Its requests; null: it only takes the stream.</param>
public sealed class StreamConnection(ClientTarget target, string pathAndQuery, RequestLog? requests) : StreamClient(requests)
{
    private const int BufferBytes = 64 << 10;

    private readonly Socket _socket = new(target.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly TaskCompletionSource<ConnectFailure?> _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _listening = Task.CompletedTask;
    private MessageScanner? _scanner;
    private volatile bool _leaving;
    private volatile bool _aborted;
    private long _stamp;

    public override bool IsIn => _entered.Task is { IsCompletedSuccessfully: true, Result: null } && Failure is null;

    public override async Task EnterAsync(TimeProvider time)
    {
        using var timeout = new CancellationTokenSource(LoadBounds.DefaultConnectTimeout, time);
        await using var abort = timeout.Token.UnsafeRegister(connection => ((StreamConnection)connection!).Abort(), this);
        _listening = Task.Factory.StartNew(Listen, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (await _entered.Task is { } failure)
            GiveUp(failure);
    }

    public override void Send(int number)
    {
        if (!IsIn)
            return;
        Requests!.SentAt(number, Stopwatch.GetTimestamp());
        if (!TrySend(Requests.Frame(number)))
            GiveUp(ConnectFailure.GoneAtSend);
    }

    public override void Leave()
    {
        _leaving = true;
        if (IsIn)
            TrySend(ClientFrames.Write(Opcodes.Close, ClientFrames.NormalClosure, mask: 0));
    }

    public override Task EndAsync() => _listening;

    public override void Abort()
    {
        _aborted = true;
        _socket.Close(0);
    }

    private void Listen()
    {
        var buffer = new byte[BufferBytes];
        _scanner = new MessageScanner(Requests?.MessageBytes ?? 0, Take);
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
        _socket.Send(target.UpgradeRequest(key, pathAndQuery, subProtocol: null));
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
        Count(_scanner.PayloadBytes);
    }

    private void Take(byte opcode, ReadOnlySpan<byte> beginning, long length)
    {
        if (opcode == Opcodes.Ping)
            TrySend(ClientFrames.Write(Opcodes.Pong, beginning, mask: 0));
        else if (opcode is Opcodes.Text or Opcodes.Binary)
            Take(beginning, length, _stamp);
    }

    private bool TrySend(ReadOnlySpan<byte> frame) => ClientFrames.TrySend(_socket, frame);
}
