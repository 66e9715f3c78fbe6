namespace PubSubOverWs.PubSubServer;

/// <summary>When a message counts as delivered, section <c>Sqs:Settle</c>.</summary>
internal sealed class SettleOptions
{
    /// <summary>For subscribers with <c>ack:auto</c>, and for the raw relay: <c>Flush</c> (default) or <c>Receive</c>.</summary>
    public SettleAuto Auto { get; set; } = SettleAuto.Flush;
}
