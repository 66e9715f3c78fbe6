namespace PubSubOverWs.PubSubServer;

/// <summary>What a change to one of its messages means for a lease.</summary>
internal enum LeaseNext
{
    /// <summary>Nothing yet.</summary>
    Keep,

    /// <summary>All its messages are settled: delete the SQS message.</summary>
    Delete,

    /// <summary>
    /// Some of its messages are settled and the others wait: these go into an envelope of their own (<see cref="Lease.TakeRemainder"/>).
    /// </summary>
    Split,
}
