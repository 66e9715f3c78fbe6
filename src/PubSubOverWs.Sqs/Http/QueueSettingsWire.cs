using System.Globalization;
using System.Text.Json;

namespace PubSubOverWs.Sqs;

/// <summary>Queue settings as SQS writes them: attributes whose values are all strings, times in whole seconds.</summary>
internal static class QueueSettingsWire
{
    public static void Write(Utf8JsonWriter json, QueueSettings settings)
    {
        WriteSeconds(json, "VisibilityTimeout", settings.VisibilityTimeout);
        WriteSeconds(json, "MessageRetentionPeriod", settings.MessageRetention);
        WriteSeconds(json, "DelaySeconds", settings.Delay);
        WriteSeconds(json, "ReceiveMessageWaitTimeSeconds", settings.ReceiveWaitTime);
        if (settings.MaximumMessageSize is { } bytes)
            json.WriteString("MaximumMessageSize", bytes.ToString(CultureInfo.InvariantCulture));
        if (settings.RedrivePolicy is { } redrive)
            json.WriteString("RedrivePolicy", $$"""{"deadLetterTargetArn":"{{redrive.DeadLetterTargetArn}}","maxReceiveCount":"{{redrive.MaxReceiveCount}}"}""");
        if (settings.FifoQueue is true)
            json.WriteString("FifoQueue", "true");
        if (settings.ContentBasedDeduplication is { } byContent)
            json.WriteString("ContentBasedDeduplication", byContent ? "true" : "false");
    }

    public static QueueAttributes Read(JsonElement attributes) => new(
        Text(attributes, "QueueArn") ?? throw new JsonException("The attributes lack QueueArn."),
        Number(attributes, "ApproximateNumberOfMessages") ?? 0,
        Number(attributes, "ApproximateNumberOfMessagesNotVisible") ?? 0,
        Number(attributes, "ApproximateNumberOfMessagesDelayed") ?? 0,
        new QueueSettings
        {
            VisibilityTimeout = Seconds(attributes, "VisibilityTimeout"),
            MessageRetention = Seconds(attributes, "MessageRetentionPeriod"),
            Delay = Seconds(attributes, "DelaySeconds"),
            ReceiveWaitTime = Seconds(attributes, "ReceiveMessageWaitTimeSeconds"),
            MaximumMessageSize = (int?)Number(attributes, "MaximumMessageSize"),
            RedrivePolicy = Text(attributes, "RedrivePolicy") is { Length: > 0 } redrive ? ReadRedrive(redrive) : null,
            FifoQueue = Flag(attributes, "FifoQueue"),
            ContentBasedDeduplication = Flag(attributes, "ContentBasedDeduplication"),
        });

    private static void WriteSeconds(Utf8JsonWriter json, string name, TimeSpan? value)
    {
        if (value is { } time)
            json.WriteString(name, ((long)time.TotalSeconds).ToString(CultureInfo.InvariantCulture));
    }

    private static RedrivePolicy ReadRedrive(string policy)
    {
        using var json = JsonDocument.Parse(policy);
        // AWS writes the count as a number, and takes it as a string too.
        var count = json.RootElement.GetProperty("maxReceiveCount").ToString();
        return new RedrivePolicy(json.RootElement.GetProperty("deadLetterTargetArn").GetString()!, int.Parse(count, CultureInfo.InvariantCulture));
    }

    private static TimeSpan? Seconds(JsonElement attributes, string name) =>
        Number(attributes, name) is { } seconds ? TimeSpan.FromSeconds(seconds) : null;

    private static long? Number(JsonElement attributes, string name) =>
        Text(attributes, name) is { } text ? long.Parse(text, CultureInfo.InvariantCulture) : null;

    private static bool? Flag(JsonElement attributes, string name) => Text(attributes, name) is { } text ? bool.Parse(text) : null;

    private static string? Text(JsonElement attributes, string name) =>
        attributes.TryGetProperty(name, out var value) ? value.GetString() : null;
}
