namespace PubSubOverWs.PubSubServer;

/// <summary>When a message to a subscriber that acknowledges nothing is settled, and so deleted from the queue.</summary>
internal enum SettleAuto
{
    /// <summary>Once its frame was flushed to the socket: what a connection broke on comes again.</summary>
    Flush,

    /// <summary>
    /// Once it was received and a subscriber has room for it: a connection that breaks loses it, counted as <c>closed</c>.
    /// </summary>
    Receive,
}
