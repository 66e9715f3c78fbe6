using System.Globalization;
using System.Text.Json;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// The dead-letter queue of messages that were received <paramref name="MaxReceiveCount"/> times and become visible again.
/// </summary>
/// <param name="TargetArn">The dead-letter queue.</param>
/// <param name="MaxReceiveCount">1 to 1,000.</param>
public sealed record Redrive(string TargetArn, int MaxReceiveCount)
{
    /// <summary><c>{"deadLetterTargetArn":"...","maxReceiveCount":5}</c>; the count may be a string too.</summary>
    /// <exception cref="SqsErrorException">It is something else.</exception>
    public static Redrive Parse(string policy)
    {
        try
        {
            using var json = JsonDocument.Parse(policy);
            var arn = json.RootElement.GetProperty("deadLetterTargetArn").GetString();
            var count = json.RootElement.GetProperty("maxReceiveCount").ToString();
            if (arn is not null && int.TryParse(count, NumberStyles.None, CultureInfo.InvariantCulture, out var max)
                && max is >= 1 and <= 1000)
                return new Redrive(arn, max);
        }
        catch (Exception fault) when (fault is JsonException or KeyNotFoundException or InvalidOperationException)
        {
        }
        throw new SqsErrorException(
            SqsError.InvalidAttributeValue,
            $"Invalid value '{policy}' for the parameter RedrivePolicy: it must have a deadLetterTargetArn, and a maxReceiveCount of 1 "
                + "to 1000.");
    }

    public override string ToString() => $$"""{"deadLetterTargetArn":"{{TargetArn}}","maxReceiveCount":{{MaxReceiveCount}}}""";
}
