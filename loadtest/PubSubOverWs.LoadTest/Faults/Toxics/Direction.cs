namespace PubSubOverWs.LoadTest.Faults.Toxics;

/// <summary>Which way bytes go through the proxy.</summary>
[Flags]
public enum Direction
{
    /// <summary>Neither way.</summary>
    None = 0,

    /// <summary>From the client to the server.</summary>
    ToServer = 1,

    /// <summary>From the server to the client.</summary>
    ToClient = 2,

    /// <summary>Both ways.</summary>
    Both = ToServer | ToClient,
}
