namespace PubSubOverWs.LocalSqs;

internal enum MessageState
{
    Delayed,
    Visible,
    InFlight,

    /// <summary>Deleted, expired, or moved to another queue. It may still stand in the line of visible ones, to be skipped.</summary>
    Gone,
}
