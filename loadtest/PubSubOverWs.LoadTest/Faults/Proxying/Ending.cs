namespace PubSubOverWs.LoadTest.Faults.Proxying;

/// <summary>How a proxied connection ended.</summary>
public enum Ending
{
    /// <summary>Both sides had said all they had to say.</summary>
    Closed,

    /// <summary>A side reset it or was gone; the other side was reset.</summary>
    Broken,

    /// <summary>A limit was reached.</summary>
    Limited,

    /// <summary>A toxic reset it.</summary>
    Reset,

    /// <summary>It was cut on demand, or the proxy stopped.</summary>
    Cut,
}
