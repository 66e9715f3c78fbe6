using System.Security.Cryptography;
using System.Text.RegularExpressions;

namespace PubSubOverWs.LoadTest.Harness.Targets.Sqs;

/// <summary>
/// Distinguishes one start of the runner from others, in message ids, destinations and queue names. Sixteen characters, time first, so
/// that a leftover queue shows its age.
/// </summary>
public sealed partial record RunToken(string Text)
{
    /// <summary>The first part of the names of all queues of runs; only such queues are ever deleted.</summary>
    public const string QueuePrefix = "pubsuboverws-";

    /// <param name="now">UTC.</param>
    public static RunToken Draw(DateTimeOffset now) =>
        new(now.UtcDateTime.ToString("yyMMddHHmmss", CultureInfo.InvariantCulture)
            + RandomNumberGenerator.GetHexString(4, lowercase: true));

    /// <summary>The name of a block's queue; the others have <c>-dead</c> and <c>-parked</c> added.</summary>
    public string Queue(int block) => Invariant($"{QueuePrefix}{Text}-{block}");

    /// <summary>True: it is the name of a queue or topic of a run.</summary>
    public static bool Named(string queue) => QueueName().IsMatch(queue);

    [GeneratedRegex("^" + QueuePrefix + "[0-9]{12}[0-9a-f]{4}-[A-Za-z0-9_-]+$")]
    private static partial Regex QueueName();
}

/// <summary>The names of queues and topics of pubsub nodes (docs/guides/nodes.md).</summary>
public static class NodeNames
{
    private const string Node = "-node-";
    private const string Control = "-control";

    /// <summary>The first part of the names of all queues of nodes, except the shared one.</summary>
    public static string Prefix(string shared) => shared + Node;

    /// <summary>The topic that feeds the queue of a node; null: it is not a node's, or a control queue, which no topic feeds.</summary>
    public static string? TopicOf(string queue) =>
        queue.IndexOf(Node, StringComparison.Ordinal) is var at and >= 0 && !queue.EndsWith(Control, StringComparison.Ordinal)
            ? queue[..at]
            : null;

    /// <summary>The name at the end of an ARN or of a queue's URL.</summary>
    public static string In(string address) => address[(address.LastIndexOfAny(['/', ':']) + 1)..];
}
