using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>A publisher's record of one of its messages. Stamps are of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
/// <param name="id">The application id, ASCII.</param>
public sealed class OwnMessage(string id)
{
    private readonly byte[] _idBytes = Encoding.ASCII.GetBytes(id);

    public string Id { get; } = id;

    /// <summary>When it was first written to a socket; null: never.</summary>
    public long? SentAt { get; set; }

    /// <summary>When it was last written to a socket; only set by publishers that reconnect and send again what was not answered.</summary>
    public long? LastSentAt { get; set; }

    /// <summary>When the receipt came, whatever it said.</summary>
    public long? ReceiptAt { get; set; }

    /// <summary>The receipt said that the broker had taken it.</summary>
    public bool Taken { get; set; }

    /// <summary>Why it was not taken, as its receipt said, or not sent; null: no such reason.</summary>
    public ConnectFailure? Refusal { get; set; }

    /// <summary>It no longer counts as missing.</summary>
    public bool IsSettled { get; set; }

    /// <summary>Records a receipt, which is named by the sequence of its message.</summary>
    /// <param name="stamp">Taken right after the receive.</param>
    /// <returns>The message; null: the receipt belongs to none.</returns>
    public static OwnMessage? Answered(IReadOnlyList<OwnMessage> messages, StompFrame receipt, long stamp)
    {
        if (!receipt.TryGet(StompNames.ReceiptId, out var id)
            || !int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var sequence) || sequence >= messages.Count)
            return null;
        messages[sequence].Answer(receipt.GetString("outcome"u8), stamp);
        return messages[sequence];
    }

    /// <summary>Records its receipt.</summary>
    /// <param name="outcome">As the receipt names it; null: it does not.</param>
    /// <param name="stamp">Taken right after the receive.</param>
    public void Answer(string? outcome, long stamp)
    {
        ReceiptAt = stamp;
        var cause = outcome switch { "no-subscriber" => Cause.NoSubscriber, "shed" => Cause.Shed, _ => Cause.None };
        Taken = cause == Cause.None;
        if (!Taken)
            Refusal = new ConnectFailure(cause, $"the receipt said {outcome}");
    }

    public bool HasId(ReadOnlySpan<byte> id) => id.SequenceEqual(_idBytes);
}

/// <summary>What became of a message, as far as its publisher knows: what a load process hands back of it.</summary>
/// <param name="SentAt">As in <see cref="OwnMessage"/>, like all others.</param>
public sealed record MessageAccount(long? SentAt, long? ReceiptAt, bool Taken, ConnectFailure? Refusal)
{
    public static MessageAccount From(OwnMessage seen) => new(seen.SentAt, seen.ReceiptAt, seen.Taken, seen.Refusal);

    /// <summary>Of a load process with this clock, with stamps of the run's.</summary>
    public MessageAccount By(WorkerClock clock) => this with { SentAt = clock.Here(SentAt), ReceiptAt = clock.Here(ReceiptAt) };
}
