using System.Globalization;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using static System.FormattableString;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>
/// Distinguishes one start of the runner from any other: in message ids, destinations and queue names. Sixteen characters, time first, so
/// that a queue that was left behind shows its age.
/// </summary>
public sealed partial record RunToken(string Text)
{
    /// <summary>What the name of every queue of a run begins with; nothing else is ever deleted by that name.</summary>
    public const string QueuePrefix = "pubsuboverws-";

    /// <param name="now">UTC.</param>
    public static RunToken Draw(DateTimeOffset now) =>
        new(now.UtcDateTime.ToString("yyMMddHHmmss", CultureInfo.InvariantCulture)
            + RandomNumberGenerator.GetHexString(4, lowercase: true));

    /// <summary>A fresh queue for each block; the others are this name with <c>-dead</c> and <c>-parked</c>.</summary>
    public string Queue(int block) => Invariant($"{QueuePrefix}{Text}-{block}");

    /// <summary>True: a run named this queue, or gave it to a server of its own.</summary>
    public static bool Named(string queue) => QueueName().IsMatch(queue);

    [GeneratedRegex("^" + QueuePrefix + "[0-9]{12}[0-9a-f]{4}-[A-Za-z0-9_-]+$")]
    private static partial Regex QueueName();
}

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
