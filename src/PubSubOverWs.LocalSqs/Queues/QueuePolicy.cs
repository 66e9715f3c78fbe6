using System.Text.Json;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// The one kind of access policy that LocalSqs supports: one topic may send to the queue. Others are refused, not partly carried out.
/// </summary>
/// <param name="Text">As it was set.</param>
/// <param name="QueueArn">The queue's own.</param>
/// <param name="TopicArn">The topic that may send to it.</param>
public sealed record QueuePolicy(string Text, string QueueArn, string TopicArn)
{
    /// <exception cref="SqsErrorException">It is not JSON, or another kind of policy.</exception>
    public static QueuePolicy Parse(string text)
    {
        try
        {
            using var json = JsonDocument.Parse(text);
            var statement = json.RootElement.GetProperty("Statement")[0];
            var policy = new QueuePolicy(
                text,
                statement.GetProperty("Resource").GetString() ?? "",
                statement.GetProperty("Condition").GetProperty("ArnEquals").GetProperty("aws:SourceArn").GetString() ?? "");
            using var known = JsonDocument.Parse(Known(policy.QueueArn, policy.TopicArn));
            if (JsonElement.DeepEquals(json.RootElement, known.RootElement))
                return policy;
        }
        catch (Exception fault)
            when (fault is JsonException or KeyNotFoundException or InvalidOperationException or IndexOutOfRangeException)
        {
        }
        throw Unknown($"it must be {Known("QUEUE-ARN", "TOPIC-ARN")}");
    }

    public static SqsErrorException Unknown(string rule) => new(
        SqsError.InvalidAttributeValue,
        $"Invalid value for the parameter Policy. LocalSqs takes one that lets one topic send to the queue: {rule}.");

    private static string Known(string queueArn, string topicArn) => $$$$"""
        {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"sns.amazonaws.com"},"Action":"sqs:SendMessage",
        "Resource":"{{{{JsonEncodedText.Encode(queueArn)}}}}",
        "Condition":{"ArnEquals":{"aws:SourceArn":"{{{{JsonEncodedText.Encode(topicArn)}}}}"}}}]}
        """;
}
