using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>A participant with one connection that it does not reopen.</summary>
/// <param name="connectTimeout">To connect, log in and subscribe.</param>
/// <param name="receiveBufferBytes">As of <see cref="StompConnection"/>.</param>
/// <param name="segmentBytes">As of <see cref="StompConnection"/>.</param>
/// <param name="readBytes">As of <see cref="StompConnection"/>.</param>
public abstract class SingleConnection(
    ClientTarget target, TimeSpan connectTimeout, int? receiveBufferBytes = null, int? segmentBytes = null,
    int readBytes = ReceiveBuffer.FirstSize) : IParticipant
{
    private Task _listening = Task.CompletedTask;
    private volatile bool _leaving;

    public bool IsIn => HasEntered && Failure is null;

    /// <summary>The first thing that went wrong; null: nothing.</summary>
    public abstract ConnectFailure? Failure { get; }

    protected StompConnection Connection { get; } = new(target, receiveBufferBytes, segmentBytes, readBytes);

    protected bool HasEntered { get; private set; }

    public async Task EnterAsync(TimeProvider time)
    {
        using var timeout = new CancellationTokenSource(connectTimeout, time);
        await using var abort = Connection.AbortOn(timeout.Token);
        var failure = await Connection.OpenAsync() ?? await GreetAsync();
        if (failure is null)
        {
            HasEntered = true;
            _listening = ListenAsync();
            return;
        }
        Connection.Abort();
        GiveUp(failure);
    }

    /// <summary>Nothing to do: all due messages were sent.</summary>
    public virtual Task StopSendingAsync() => Task.CompletedTask;

    public void Leave()
    {
        _leaving = true;
        if (HasEntered)
            Connection.Leave();
    }

    public virtual Task EndAsync() => _listening;

    public void Abort() => Connection.Abort();

    public void Dispose()
    {
        Connection.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>Sends a message that is due, if the connection is open, and records when. Never waits.</summary>
    protected void Send(ReadOnlySpan<byte> send, OwnMessage message)
    {
        if (!IsIn)
            return;
        var now = Stopwatch.GetTimestamp();
        if (Connection.TrySend(send))
            message.SentAt = now;
        else
            GiveUp(ConnectFailure.GoneAtSend);
    }

    /// <summary>Logs in and subscribes over the open WebSocket. Null: success.</summary>
    protected abstract Task<ConnectFailure?> GreetAsync();

    /// <summary>Handles a frame of the server.</summary>
    /// <param name="stamp">Taken right after the receive.</param>
    protected abstract void Take(StompFrame frame, long stamp);

    /// <summary>Nothing more can arrive.</summary>
    protected abstract void GiveUp(ConnectFailure failure);

    /// <summary>Waits for more bytes. False: the connection has ended.</summary>
    protected virtual ValueTask<bool> ReceiveAsync() => Connection.ReceiveAsync();

    /// <summary>The connection has ended, for any reason.</summary>
    protected virtual void Ended()
    {
    }

    private async Task ListenAsync()
    {
        do
        {
            var stamp = Stopwatch.GetTimestamp();
            while (Connection.TryRead(out var frame))
                Take(frame, stamp);
        }
        while (await ReceiveAsync());
        Ended();
        if (!_leaving)
            GiveUp(new ConnectFailure(Cause.ServerClosed, Connection.Fault ?? "the server closed the connection"));
    }
}
