namespace PubSubOverWs.Relay;

/// <summary>The convention of STOMP brokers, and our own prefix for the way back to a raw relay client.</summary>
public static class DestinationName
{
    /// <summary>The prefix of the destinations of raw relay connections.</summary>
    public const string Raw = "/raw/";

    private const string Queue = "/queue/";
    private const string Topic = "/topic/";

    /// <summary>To every present subscriber, rather than to exactly one.</summary>
    public static bool IsTopic(string name) => name.StartsWith(Topic, StringComparison.Ordinal);

    /// <summary>The way back to one raw relay connection: only that connection subscribes to it, and it is never used again.</summary>
    public static bool IsRaw(string name) => name.StartsWith(Raw, StringComparison.Ordinal);

    /// <summary>
    /// A queue keeps messages without a subscriber; a topic is for the subscribers present, and a raw relay client that left does not come
    /// back.
    /// </summary>
    public static bool IsQueue(string name) => !IsTopic(name) && !IsRaw(name);

    /// <summary>
    /// A destination that a STOMP client may send and subscribe to: <c>/queue/NAME</c> or <c>/topic/NAME</c>, with a name.
    /// </summary>
    public static bool IsOpen(string name) =>
        (name.StartsWith(Queue, StringComparison.Ordinal) && name.Length > Queue.Length) || (IsTopic(name) && name.Length > Topic.Length);

    internal static string RawOf(string connectionId) => Raw + connectionId;
}
