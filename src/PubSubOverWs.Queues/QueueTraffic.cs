namespace PubSubOverWs.Queues;

/// <summary>
/// The calls and bytes of a client of the queue so far: each attempt is one call, retries included. Counted from any thread, read at any
/// time.
/// </summary>
public sealed class QueueTraffic
{
    private static readonly int Kinds = Enum.GetValues<QueueCall>().Length;

    private readonly long[] _calls = new long[Kinds];
    private readonly long[] _bytesOut = new long[Kinds];
    private long _bytesIn;
    private long _emptyReceives;
    private long _corrupted;
    private long _retries;
    private long _unansweredReceives;

    /// <summary>Response bytes: status line, headers and body, as far as the client can see them.</summary>
    public long BytesIn => Volatile.Read(ref _bytesIn);

    /// <summary>Receives without a message: they cost money all the same.</summary>
    public long EmptyReceives => Volatile.Read(ref _emptyReceives);

    /// <summary>Received messages whose body did not match its MD5. They were left out, and are received again.</summary>
    public long Corrupted => Volatile.Read(ref _corrupted);

    /// <summary>Calls that were retried after a failure; <see cref="Calls"/> includes them.</summary>
    public long Retries => Volatile.Read(ref _retries);

    /// <summary>
    /// Receives that were repeated because an attempt had no answer: the queue may hide what that brought until its visibility runs out.
    /// </summary>
    public long UnansweredReceives => Volatile.Read(ref _unansweredReceives);

    public long Calls(QueueCall kind) => Volatile.Read(ref _calls[(int)kind]);

    /// <summary>Request bytes: request line, headers and body, as far as the client can see them.</summary>
    public long BytesOut(QueueCall kind) => Volatile.Read(ref _bytesOut[(int)kind]);

    /// <summary>For implementations of <see cref="IQueue"/>: one attempt was sent.</summary>
    public void CountCall(QueueCall kind, long bytesOut)
    {
        Interlocked.Increment(ref _calls[(int)kind]);
        Interlocked.Add(ref _bytesOut[(int)kind], bytesOut);
    }

    /// <summary>For implementations of <see cref="IQueue"/>: an answer came.</summary>
    public void CountAnswer(long bytesIn) => Interlocked.Add(ref _bytesIn, bytesIn);

    /// <summary>
    /// For implementations of <see cref="IQueue"/>: a receive returned <paramref name="messages"/> usable messages and
    /// <paramref name="corrupted"/> corrupted ones.
    /// </summary>
    public void CountReceive(int messages, int corrupted)
    {
        if (messages + corrupted == 0)
            Interlocked.Increment(ref _emptyReceives);
        Interlocked.Add(ref _corrupted, corrupted);
    }

    /// <summary>For implementations of <see cref="IQueue"/>: the next attempt repeats a failed one.</summary>
    public void CountRetry() => Interlocked.Increment(ref _retries);

    /// <summary>For implementations of <see cref="IQueue"/>: an attempt to receive had no answer.</summary>
    public void CountUnansweredReceive() => Interlocked.Increment(ref _unansweredReceives);
}

/// <summary>The kinds of call that are counted separately.</summary>
public enum QueueCall
{
    Send,
    Receive,
    Settle,
    Hold,

    /// <summary>Everything about queues: open, count, list, delete.</summary>
    Other,
}
