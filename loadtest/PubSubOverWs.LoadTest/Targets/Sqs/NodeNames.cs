namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>How the queues and topics of pubsub servers that share their work are called (docs/nodes.md).</summary>
public static class NodeNames
{
    private const string Node = "-node-";
    private const string Control = "-control";

    /// <summary>What the names of all queues of nodes begin with, the shared one aside.</summary>
    public static string Prefix(string shared) => shared + Node;

    /// <summary>
    /// The topic that feeds the queue of a node; null: none does, for it is no node's, or the one through which the node hears the others.
    /// </summary>
    public static string? TopicOf(string queue) =>
        queue.IndexOf(Node, StringComparison.Ordinal) is var at and >= 0 && !queue.EndsWith(Control, StringComparison.Ordinal)
            ? queue[..at]
            : null;

    /// <summary>The name at the end of an ARN or of a queue's URL.</summary>
    public static string In(string address) => address[(address.LastIndexOfAny(['/', ':']) + 1)..];
}
