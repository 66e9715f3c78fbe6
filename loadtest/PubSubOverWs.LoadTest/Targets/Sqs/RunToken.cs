using System.Globalization;
using System.Security.Cryptography;
using System.Text.RegularExpressions;

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
    public string Queue(int block) => string.Create(CultureInfo.InvariantCulture, $"{QueuePrefix}{Text}-{block}");

    /// <summary>True: a run named this queue, or gave it to a server of its own.</summary>
    public static bool Named(string queue) => QueueName().IsMatch(queue);

    [GeneratedRegex("^" + QueuePrefix + "[0-9]{12}[0-9a-f]{4}-[A-Za-z0-9_-]+$")]
    private static partial Regex QueueName();
}
