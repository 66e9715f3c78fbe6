using System.Globalization;
using System.Text.Json;

namespace PubSubOverWs.Sqs;

/// <summary>Queue settings as SQS writes them: attributes whose values are all strings, times in whole seconds.</summary>
internal static class QueueSettingsWire
{
    public static Dictionary<string, string> Write(QueueSettings settings)
    {
        var attributes = new Dictionary<string, string>(StringComparer.Ordinal);
        AddSeconds(attributes, "VisibilityTimeout", settings.VisibilityTimeout);
        AddSeconds(attributes, "MessageRetentionPeriod", settings.MessageRetention);
        AddSeconds(attributes, "DelaySeconds", settings.Delay);
        AddSeconds(attributes, "ReceiveMessageWaitTimeSeconds", settings.ReceiveWaitTime);
        if (settings.MaximumMessageSize is { } bytes)
            attributes["MaximumMessageSize"] = bytes.ToString(CultureInfo.InvariantCulture);
        if (settings.RedrivePolicy is { } redrive)
            attributes["RedrivePolicy"] =
                $$"""{"deadLetterTargetArn":"{{redrive.DeadLetterTargetArn}}","maxReceiveCount":"{{redrive.MaxReceiveCount}}"}""";
        if (settings.Policy is { } policy)
            attributes["Policy"] = policy;
        return attributes;
    }

    /// <param name="text">The value of an attribute; null: the queue did not send it.</param>
    /// <exception cref="JsonException">There is no ARN, or the redrive policy cannot be read.</exception>
    /// <exception cref="FormatException">A number cannot be read.</exception>
    public static QueueAttributes Read(Func<string, string?> text) => new(
        text("QueueArn") ?? throw new JsonException("The attributes lack QueueArn."),
        Number(text("ApproximateNumberOfMessages")) ?? 0,
        Number(text("ApproximateNumberOfMessagesNotVisible")) ?? 0,
        Number(text("ApproximateNumberOfMessagesDelayed")) ?? 0,
        new QueueSettings
        {
            VisibilityTimeout = Seconds(text("VisibilityTimeout")),
            MessageRetention = Seconds(text("MessageRetentionPeriod")),
            Delay = Seconds(text("DelaySeconds")),
            ReceiveWaitTime = Seconds(text("ReceiveMessageWaitTimeSeconds")),
            MaximumMessageSize = (int?)Number(text("MaximumMessageSize")),
            RedrivePolicy = text("RedrivePolicy") is { Length: > 0 } redrive ? ReadRedrive(redrive) : null,
            Policy = text("Policy") is { Length: > 0 } policy ? policy : null,
        })
    {
        CreatedAt = Number(text("CreatedTimestamp")) is { } seconds ? DateTimeOffset.FromUnixTimeSeconds(seconds) : null,
    };

    private static void AddSeconds(Dictionary<string, string> attributes, string name, TimeSpan? value)
    {
        if (value is { } time)
            attributes[name] = ((long)time.TotalSeconds).ToString(CultureInfo.InvariantCulture);
    }

    private static RedrivePolicy ReadRedrive(string policy)
    {
        using var json = JsonDocument.Parse(policy);
        // AWS writes the count as a number, and takes it as a string too.
        var count = json.RootElement.GetProperty("maxReceiveCount").ToString();
        return new RedrivePolicy(
            json.RootElement.GetProperty("deadLetterTargetArn").GetString()!, int.Parse(count, CultureInfo.InvariantCulture));
    }

    private static TimeSpan? Seconds(string? text) => Number(text) is { } seconds ? TimeSpan.FromSeconds(seconds) : null;

    // SQS sends whole numbers; moto sends times with a fraction.
    private static long? Number(string? text) =>
        text is null ? null : (long)Math.Floor(decimal.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture));
}
