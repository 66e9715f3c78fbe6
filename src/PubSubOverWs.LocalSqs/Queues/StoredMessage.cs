using System.Globalization;
using System.Text.Unicode;

namespace PubSubOverWs.LocalSqs;

/// <summary>A message in a queue. A million of them should fit in a process of modest size: no strings, no boxing.</summary>
internal sealed class StoredMessage(ulong number, MessageBody body, MessageExtras? extras, long sentAt, long sentTicks) : Due
{
    /// <summary>Unique in the process; its message id is made from it.</summary>
    public ulong Number { get; } = number;

    /// <summary>Milliseconds since 1970 (UTC).</summary>
    public long SentAt { get; } = sentAt;

    /// <summary>The same moment as a timestamp, from which its age is counted.</summary>
    public long SentTicks { get; } = sentTicks;

    public MessageBody Body { get; private set; } = body;

    /// <summary>Null: it has none of them.</summary>
    public MessageExtras? Extras { get; private set; } = extras;

    /// <summary>The bytes that it counts towards <see cref="LocalSqsOptions.MaxBytes"/>, until it is dropped.</summary>
    public long Bytes => Holdings.BytesOf(Body, Extras);

    public MessageState State { get; set; }

    /// <summary>Receives in all queues that it was in, which SQS shows.</summary>
    public int ReceiveCount { get; set; }

    /// <summary>Receives in its present queue, which decide when it goes to the dead-letter queue.</summary>
    public int ReceivedHere { get; set; }

    /// <summary>Milliseconds since 1970 (UTC); 0: never.</summary>
    public long FirstReceivedAt { get; set; }

    /// <summary>Grows with each receive: a receipt handle with an older one is stale.</summary>
    public uint Receipt { get; set; }

    /// <summary>When it was received last, as a timestamp.</summary>
    public long ReceivedTicks { get; set; }

    /// <summary>When it becomes visible, as a timestamp; <see cref="long.MaxValue"/>: it is.</summary>
    public long HiddenUntil { get; set; }

    public void Drop()
    {
        State = MessageState.Gone;
        Body = default;
        Extras = null;
    }
}

internal enum MessageState
{
    Delayed,
    Visible,
    InFlight,

    /// <summary>Deleted, expired, or moved to another queue. It may still stand in the line of visible ones, to be skipped.</summary>
    Gone,
}

/// <summary>Names one receive of one message of one queue. Opaque to callers: <c>queue-message-receive</c> in hexadecimal digits.</summary>
public readonly record struct ReceiptHandle(uint Queue, ulong Number, uint Receipt)
{
    /// <summary>The longest: 8, 16 and 8 digits.</summary>
    public const int MaxLength = 34;

    /// <summary>The bytes written.</summary>
    public int WriteTo(Span<byte> utf8)
    {
        Utf8.TryWrite(utf8, CultureInfo.InvariantCulture, $"{Queue:x}-{Number:x}-{Receipt:x}", out var written);
        return written;
    }

    public static bool TryParse(ReadOnlySpan<byte> utf8, out ReceiptHandle handle)
    {
        handle = default;
        var first = utf8.IndexOf((byte)'-');
        var last = utf8.LastIndexOf((byte)'-');
        if (first == last || utf8.Length > MaxLength
            || !TryParseHex(utf8[..first], out uint queue)
            || !TryParseHex(utf8[(first + 1)..last], out ulong number)
            || !TryParseHex(utf8[(last + 1)..], out uint receipt))
        {
            return false;
        }
        handle = new ReceiptHandle(queue, number, receipt);
        return true;
    }

    private static bool TryParseHex<T>(ReadOnlySpan<byte> digits, out T value)
        where T : System.Numerics.IBinaryInteger<T> =>
        T.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value!);
}
