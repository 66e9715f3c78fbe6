namespace PubSubOverWs.LoadTest.Faults.Control;

/// <summary>What a proxy can be told to do.</summary>
public enum OrderKind
{
    /// <summary>These toxics, and no others, for all connections that are there and all that come.</summary>
    Toxics,

    /// <summary>Reset a share of the connections that are there.</summary>
    Cut,

    /// <summary>Listen no more; connections stay.</summary>
    Refuse,

    /// <summary>Listen again.</summary>
    Accept,

    /// <summary>Let nothing pass on any connection; connections stay, and new ones are taken.</summary>
    Stall,

    /// <summary>Let everything pass again.</summary>
    Resume,

    /// <summary>No toxics, accept, resume, and forget the orders that are not due yet.</summary>
    Calm,
}
