using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.PubSubServer;

/// <summary>When a message counts as delivered, section <c>Sqs:Settle</c>.</summary>
internal sealed class SettleOptions
{
    /// <summary>For subscribers with <c>ack:auto</c>, and for the raw relay: <c>Flush</c> (default) or <c>Receive</c>.</summary>
    public SettleAuto Auto { get; set; } = SettleAuto.Flush;

    /// <summary>
    /// How long a delete waits for others to make a batch of ten, 0 s (it does not) to 1 s. No client waits for a delete, and SQS bills
    /// each call; what a killed server had not deleted yet is delivered twice.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:01")]
    public TimeSpan Linger { get; set; } = TimeSpan.FromMilliseconds(10);
}

/// <summary>When a message to a subscriber that acknowledges nothing is settled, and so deleted from the queue.</summary>
internal enum SettleAuto
{
    /// <summary>Once its frame was flushed to the socket: a message on a connection that breaks is delivered again.</summary>
    Flush,

    /// <summary>
    /// Once it was received and a subscriber has room for it: a connection that breaks loses it, counted as <c>closed</c>.
    /// </summary>
    Receive,
}
