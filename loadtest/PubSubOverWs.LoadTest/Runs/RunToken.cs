using System.Globalization;
using System.Security.Cryptography;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>
/// Distinguishes one start of the runner from any other: in message ids, destinations and queue names. Sixteen characters, time first, so that a queue
/// that was left behind shows its age.
/// </summary>
public sealed record RunToken(string Text)
{
    /// <param name="now">UTC.</param>
    public static RunToken Draw(DateTimeOffset now) =>
        new(now.UtcDateTime.ToString("yyMMddHHmmss", CultureInfo.InvariantCulture) + RandomNumberGenerator.GetHexString(4, lowercase: true));

    /// <summary>A fresh queue for each block; its dead-letter queue is this name with <c>-dead</c>.</summary>
    public string Queue(int block) => string.Create(CultureInfo.InvariantCulture, $"pubsuboverws-{Text}-{block}");
}
