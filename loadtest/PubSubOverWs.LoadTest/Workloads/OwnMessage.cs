using System.Globalization;
using System.Text;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Workloads;

/// <summary>What a publisher records of one of its messages. Stamps are of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
/// <param name="id">The application id, ASCII.</param>
public sealed class OwnMessage(string id)
{
    private readonly byte[] _idBytes = Encoding.ASCII.GetBytes(id);

    public string Id { get; } = id;

    /// <summary>When it was handed to the socket; null: it never was.</summary>
    public long? SentAt { get; set; }

    /// <summary>When it was handed to a socket again, for there was no answer; else as <see cref="SentAt"/>. Only of a publisher that
    /// comes back.</summary>
    public long? LastSentAt { get; set; }

    /// <summary>When the answer to the SEND came, whatever it said.</summary>
    public long? ReceiptAt { get; set; }

    /// <summary>The receipt said that the broker had taken it.</summary>
    public bool Taken { get; set; }

    /// <summary>Why the receipt said that it was not taken; null: it did not say so.</summary>
    public ConnectFailure? Refusal { get; set; }

    /// <summary>It no longer counts as missing.</summary>
    public bool IsSettled { get; set; }

    /// <summary>Records a receipt, which is named by the sequence of its message.</summary>
    /// <param name="messages">Of the publisher.</param>
    /// <param name="receipt">As it came.</param>
    /// <param name="stamp">Taken right after the receive.</param>
    /// <returns>Its message; null: it belongs to none.</returns>
    public static OwnMessage? Answered(IReadOnlyList<OwnMessage> messages, StompFrame receipt, long stamp)
    {
        if (!receipt.TryGet(StompNames.ReceiptId, out var id)
            || !int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var sequence) || sequence >= messages.Count)
            return null;
        var own = messages[sequence];
        own.ReceiptAt = stamp;
        var outcome = receipt.GetString("outcome"u8);
        var cause = outcome switch { "no-subscriber" => Cause.NoSubscriber, "shed" => Cause.Shed, _ => Cause.None };
        own.Taken = cause == Cause.None;
        if (!own.Taken)
            own.Refusal = new ConnectFailure(cause, $"the receipt said {outcome}");
        return own;
    }

    public bool HasId(ReadOnlySpan<byte> id) => id.SequenceEqual(_idBytes);
}
