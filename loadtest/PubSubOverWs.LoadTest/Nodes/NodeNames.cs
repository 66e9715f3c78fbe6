namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>How the queues and topics of pubsub servers that share their work are called (docs/nodes.md).</summary>
public static class NodeNames
{
    private const string Node = "-node-";
    private const string Control = "-control";

    /// <summary>What the names of all queues of nodes begin with, the shared one aside.</summary>
    public static string Prefix(string shared) => shared + Node;

    /// <summary>The topics: one for messages, and one for what the nodes tell each other.</summary>
    public static IReadOnlyList<string> Topics(string shared) => [shared, shared + Control];

    /// <summary>The topic that feeds the queue of a node; null: it is no node's, and none does.</summary>
    public static string? TopicOf(string queue) =>
        queue.IndexOf(Node, StringComparison.Ordinal) is var at and >= 0
            ? queue[..at] + (queue.EndsWith(Control, StringComparison.Ordinal) ? Control : "")
            : null;

    /// <summary>The name at the end of an ARN or of a queue's URL.</summary>
    public static string In(string address) => address[(address.LastIndexOfAny(['/', ':']) + 1)..];
}
