namespace PubSubOverWs.Relay;

/// <summary>Counts what the relay did since the server started. Bytes are counted where they leave, after the WebSocket upgrade.</summary>
public sealed class RelayMeter
{
    private long _opened, _closed, _refused, _limited, _slow, _cut;
    private long _messagesIn, _messagesOut, _bytesIn;
    private long _payload, _stomp, _total;
    private long _lateAcks;
    private readonly long[] _logins = new long[Enum.GetValues<LoginOutcome>().Length];
    private readonly long[] _drops = new long[Enum.GetValues<DropCause>().Length];

    internal void AddOpened() => Interlocked.Increment(ref _opened);

    internal void AddClosed() => Interlocked.Increment(ref _closed);

    internal void AddRefused() => Interlocked.Increment(ref _refused);

    /// <summary>One of those that were refused: there were too many.</summary>
    internal void AddLimited() => Interlocked.Increment(ref _limited);

    /// <summary>A connection was ended because its client read too slowly.</summary>
    internal void AddSlow() => Interlocked.Increment(ref _slow);

    /// <summary>A connection was closed before its client had answered the close frame: messages on their way may be lost.</summary>
    internal void AddCut() => Interlocked.Increment(ref _cut);

    internal void AddIn(int bytes) => Interlocked.Add(ref _bytesIn, bytes);

    internal void AddMessagesIn(int messages) => Interlocked.Add(ref _messagesIn, messages);

    internal void AddOut(int messages, int payloadBytes, int stompBytes)
    {
        Interlocked.Add(ref _messagesOut, messages);
        Interlocked.Add(ref _payload, payloadBytes);
        Interlocked.Add(ref _stomp, stompBytes);
    }

    internal void AddTotalOut(long bytes) => Interlocked.Add(ref _total, bytes);

    /// <summary>An acknowledgement of a message that was settled before, or whose subscription is gone.</summary>
    internal void AddLateAck() => Interlocked.Increment(ref _lateAcks);

    internal void AddLogin(LoginOutcome outcome) => Interlocked.Increment(ref _logins[(int)outcome]);

    /// <summary>Messages, or topic subscribers' copies of one, are gone for good.</summary>
    public void AddDrop(DropCause cause, int count = 1) => Interlocked.Add(ref _drops[(int)cause], count);

    internal ConnectionStats Connections => new(
        Read(ref _opened) - Read(ref _closed), Read(ref _opened), Read(ref _refused), Read(ref _limited), Read(ref _slow), Read(ref _cut));

    internal MessageStats Messages => new(Read(ref _messagesIn), Read(ref _messagesOut), Read(ref _lateAcks));

    internal LoginStats Logins => new(
        Read(ref _logins[(int)LoginOutcome.Right]), Read(ref _logins[(int)LoginOutcome.Wrong]),
        Read(ref _logins[(int)LoginOutcome.Busy]), Read(ref _logins[(int)LoginOutcome.LockedOut]));

    internal long BytesIn => Read(ref _bytesIn);

    internal ByteStats BytesOut
    {
        get
        {
            var payload = Read(ref _payload);
            var stomp = Read(ref _stomp);
            var total = Read(ref _total);
            return new ByteStats(payload, stomp, total - payload - stomp, total);
        }
    }

    internal IReadOnlyDictionary<string, long> Drops => new SortedDictionary<string, long>(StringComparer.Ordinal)
    {
        ["closed"] = Read(ref _drops[(int)DropCause.Closed]),
        ["no-subscriber"] = Read(ref _drops[(int)DropCause.NoSubscriber]),
        ["shed"] = Read(ref _drops[(int)DropCause.Shed]),
        ["undeliverable"] = Read(ref _drops[(int)DropCause.Undeliverable]),
    };

    private static long Read(ref long counter) => Interlocked.Read(ref counter);
}

/// <summary>Why a server gave a message up.</summary>
public enum DropCause
{
    /// <summary>The destination had no subscriber, and the server does not store the message (direct server, topics, raw relay).</summary>
    NoSubscriber,

    /// <summary>
    /// Every subscriber's prefetch or outbox was full, or the delivery step was, and the server stores no messages, or no more.
    /// </summary>
    Shed,

    /// <summary>Its subscriber left without settling it, and there is no other.</summary>
    Closed,

    /// <summary>Subscribers gave it back too often.</summary>
    Undeliverable,
}
