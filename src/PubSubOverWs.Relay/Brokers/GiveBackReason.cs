namespace PubSubOverWs.Relay;

/// <summary>Why a subscriber did not settle what it was given.</summary>
public enum GiveBackReason
{
    /// <summary>The client sent NACK.</summary>
    Nack,

    /// <summary>The subscription ended or its connection closed before the message was settled.</summary>
    Closed,
}
