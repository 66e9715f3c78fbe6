namespace PubSubOverWs.PubSubServer;

/// <summary>Where a received message is.</summary>
internal enum InboundState
{
    /// <summary>On its way: being offered, with a subscriber, waiting out a NACK, or being sent to another place.</summary>
    Out,

    /// <summary>Among the held: no subscriber, or none with room.</summary>
    Waiting,

    /// <summary>Nothing more is to be done for it here.</summary>
    Settled,
}
