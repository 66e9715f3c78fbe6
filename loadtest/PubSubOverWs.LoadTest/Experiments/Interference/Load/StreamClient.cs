using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

/// <summary>
/// A WebSocket to a stream server, as the published client opens it: no sub-protocol, requests as text messages, and every message that is
/// no reply belongs to the stream. One thread at a time receives.
/// </summary>
/// <param name="requests">Its requests; null: it only takes the stream.</param>
public abstract class StreamClient(RequestLog? requests) : IParticipant
{
    private ConnectFailure? _failure;
    private long _bytes;
    private long _messages;

    public abstract bool IsIn { get; }

    /// <summary>The first thing that went wrong; null: nothing.</summary>
    public ConnectFailure? Failure => Volatile.Read(ref _failure);

    /// <summary>What has come of the stream so far; may be read from any thread.</summary>
    public StreamCount Streamed => new(Stopwatch.GetTimestamp(), Volatile.Read(ref _messages), Volatile.Read(ref _bytes));

    /// <summary>The same when requests ended.</summary>
    public StreamCount StreamedInAll { get; private set; }

    protected RequestLog? Requests => requests;

    public abstract Task EnterAsync(TimeProvider time);

    /// <summary>Sends a request that is due, if the connection is open, and records when. Never waits.</summary>
    /// <param name="number">From 0.</param>
    public abstract void Send(int number);

    public Task StopSendingAsync()
    {
        StreamedInAll = Streamed;
        return Task.CompletedTask;
    }

    public abstract void Leave();

    public abstract Task EndAsync();

    public abstract void Abort();

    public void Dispose()
    {
        Abort();
        GC.SuppressFinalize(this);
    }

    /// <summary>Takes a message that has ended.</summary>
    /// <param name="beginning">Its first bytes.</param>
    /// <param name="length">All of them.</param>
    /// <param name="stamp">Taken right after the receive.</param>
    protected void Take(ReadOnlySpan<byte> beginning, long length, long stamp)
    {
        if (requests?.TryTake(beginning, length, stamp) != true)
            Volatile.Write(ref _messages, _messages + 1);
    }

    /// <summary>Counts what has come so far, replies included, of a message that has not ended, too.</summary>
    protected void Count(long payloadBytes) => Volatile.Write(ref _bytes, payloadBytes - (requests?.ReplyBytes ?? 0));

    /// <summary>Nothing more can arrive.</summary>
    protected void GiveUp(ConnectFailure failure)
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
