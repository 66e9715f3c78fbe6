namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What the bench can measure.</summary>
public enum BenchKind
{
    /// <summary>CPU per message of the direct server beside a bare echo.</summary>
    Relay,

    /// <summary>Messages a second through the pubsub server and its queue.</summary>
    PubSub,

    /// <summary>The embedded queue by itself, beside another queue server where one is named.</summary>
    Queue,

    /// <summary>Memory of an idle connection, and how fast connections come, beside a bare echo.</summary>
    Idle,

    /// <summary>Latency of those who read, beside connections that never do. Not measured unless it is named.</summary>
    Readers,

    /// <summary>Loss, latency and memory of clients that behave well, beside others that do not. Not measured unless it is named.</summary>
    Misbehaving,
}
