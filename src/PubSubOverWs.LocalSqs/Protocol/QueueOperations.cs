using System.Globalization;
using System.Text.Json;

namespace PubSubOverWs.LocalSqs;

/// <summary>The operations on queues themselves. They are rare, so they use JSON documents instead of a reader.</summary>
internal static class QueueOperations
{
    public static void CreateQueue(SqsCall call)
    {
        using var request = JsonDocument.Parse(call.Request);
        // Refused, not ignored: users assign costs or rights by tags.
        if (request.RootElement.TryGetProperty("tags", out var tags) && tags.ValueKind == JsonValueKind.Object
            && tags.EnumerateObject().Any())
            throw new SqsErrorException(SqsError.UnsupportedOperation, "LocalSqs does not have tags: create the queue without them.");
        call.Store.Create(Text(request, "QueueName"), Attributes(request));
        call.Answer.WriteString("QueueUrl"u8, call.UrlOf(Text(request, "QueueName")));
    }

    public static void GetQueueUrl(SqsCall call)
    {
        using var request = JsonDocument.Parse(call.Request);
        call.Answer.WriteString("QueueUrl"u8, call.UrlOf(call.Store.Get(Text(request, "QueueName")).Name));
    }

    public static void ListQueues(SqsCall call)
    {
        using var request = JsonDocument.Parse(call.Request);
        var prefix = Optional(request, "QueueNamePrefix") ?? "";
        var limit = request.RootElement.TryGetProperty("MaxResults", out var given) && given.ValueKind == JsonValueKind.Number
            ? Whole(given)
            : (int?)null;
        if (limit is < 1 or > 1000)
            throw new SqsErrorException(
                SqsError.InvalidParameterValue, $"Value {limit} for parameter MaxResults is invalid. Reason: Must be >= 1 and <= 1000.");
        var names = call.Store.List(prefix, Optional(request, "NextToken") ?? "", (limit ?? 1000) + 1);
        call.Answer.WriteStartArray("QueueUrls"u8);
        foreach (var name in names.Take(limit ?? 1000))
            call.Answer.WriteStringValue(call.UrlOf(name));
        call.Answer.WriteEndArray();
        // As SQS does: without MaxResults there are no pages.
        if (names.Count > limit)
            call.Answer.WriteString("NextToken"u8, names[limit.Value - 1]);
    }

    public static void GetQueueAttributes(SqsCall call)
    {
        using var request = JsonDocument.Parse(call.Request);
        var queue = call.Queue(Optional(request, "QueueUrl"));
        var all = QueueAttributes.Read(queue);
        var names = request.RootElement.TryGetProperty("AttributeNames", out var given) && given.ValueKind == JsonValueKind.Array
            ? given.EnumerateArray().Select(name => name.GetString() ?? throw new JsonException("An array of strings was expected."))
                .ToList()
            : [];
        if (names.Find(name => name != "All" && !QueueAttributes.Has(name)) is { } unknown)
            throw new SqsErrorException(SqsError.InvalidAttributeName, $"Unknown Attribute {unknown}.");
        var wanted = all.Where(attribute => names.Contains("All") || names.Contains(attribute.Key)).ToList();
        if (wanted.Count == 0)
            return;
        call.Answer.WriteStartObject("Attributes"u8);
        foreach (var (name, value) in wanted)
            call.Answer.WriteString(name, value);
        call.Answer.WriteEndObject();
    }

    public static void SetQueueAttributes(SqsCall call)
    {
        using var request = JsonDocument.Parse(call.Request);
        call.Store.Change(call.Queue(Optional(request, "QueueUrl")).Name, Attributes(request));
    }

    public static void PurgeQueue(SqsCall call)
    {
        using var request = JsonDocument.Parse(call.Request);
        call.Queue(Optional(request, "QueueUrl")).Purge();
    }

    public static void DeleteQueue(SqsCall call)
    {
        using var request = JsonDocument.Parse(call.Request);
        call.Store.Delete(call.Queue(Optional(request, "QueueUrl")).Name);
    }

    private static Dictionary<string, string> Attributes(JsonDocument request)
    {
        var attributes = new Dictionary<string, string>();
        if (!request.RootElement.TryGetProperty("Attributes", out var given) || given.ValueKind != JsonValueKind.Object)
            return attributes;
        // Of a repeated member the last counts, as in other readers of JSON.
        foreach (var attribute in given.EnumerateObject())
            attributes[attribute.Name] = attribute.Value.GetString() ?? "";
        return attributes;
    }

    private static int Whole(JsonElement number) =>
        number.TryGetInt32(out var whole) ? whole : throw new JsonException("A whole number was expected.");

    private static string Text(JsonDocument request, string name) =>
        Optional(request, name)
            ?? throw new SqsErrorException(SqsError.MissingParameter, $"The request must contain the parameter {name}.");

    private static string? Optional(JsonDocument request, string name) =>
        request.RootElement.TryGetProperty(name, out var value) ? value.GetString() : null;
}

/// <summary>The attributes that GetQueueAttributes returns: all of them strings, times in seconds.</summary>
internal static class QueueAttributes
{
    private const string RedrivePolicy = nameof(RedrivePolicy);
    private const string Policy = nameof(Policy);

    private static readonly (string Name, Func<QueueInMemory, QueueCounts, long> Value)[] Numbers =
    [
        ("ApproximateNumberOfMessages", (_, counts) => counts.Visible),
        ("ApproximateNumberOfMessagesNotVisible", (_, counts) => counts.InFlight),
        ("ApproximateNumberOfMessagesDelayed", (_, counts) => counts.Delayed),
        ("CreatedTimestamp", (queue, _) => queue.CreatedAt.ToUnixTimeSeconds()),
        ("LastModifiedTimestamp", (queue, _) => queue.LastModifiedAt.ToUnixTimeSeconds()),
        ("VisibilityTimeout", (queue, _) => (long)queue.Settings.VisibilityTimeout.TotalSeconds),
        ("MaximumMessageSize", (queue, _) => queue.Settings.MaximumMessageSize),
        ("MessageRetentionPeriod", (queue, _) => (long)queue.Settings.MessageRetention.TotalSeconds),
        ("DelaySeconds", (queue, _) => (long)queue.Settings.Delay.TotalSeconds),
        ("ReceiveMessageWaitTimeSeconds", (queue, _) => (long)queue.Settings.ReceiveWaitTime.TotalSeconds),
    ];

    private static readonly HashSet<string> Names = [.. Numbers.Select(number => number.Name), "QueueArn", RedrivePolicy, Policy];

    /// <summary>Whether a queue may have the attribute.</summary>
    public static bool Has(string name) => Names.Contains(name);

    public static Dictionary<string, string> Read(QueueInMemory queue)
    {
        var counts = queue.Count();
        var attributes = Numbers.ToDictionary(
            number => number.Name, number => number.Value(queue, counts).ToString(CultureInfo.InvariantCulture));
        attributes.Add("QueueArn", QueueStore.ArnOf(queue.Name));
        if (queue.Settings.Redrive is { } redrive)
            attributes.Add(RedrivePolicy, redrive.ToString());
        if (queue.Settings.Policy is { } policy)
            attributes.Add(Policy, policy.Text);
        return attributes;
    }
}
