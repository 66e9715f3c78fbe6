namespace PubSubOverWs.Relay;

/// <summary>When a message counts as settled: the <c>ack</c> header of SUBSCRIBE.</summary>
internal enum AckMode
{
    /// <summary>Once its frame was flushed to the socket.</summary>
    Auto,

    /// <summary>When the client acknowledges it or a later one of the subscription.</summary>
    Client,

    /// <summary>When the client acknowledges it.</summary>
    ClientIndividual,
}
