using System.Text.Json;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>
/// Requests to SQS by chance: queues that are there and not, messages that were received and not, in operations of every kind.
/// </summary>
internal sealed class SqsRequestDraw(Draw draw)
{
    private static readonly string[] Names = ["a", "b", "c", "dead", "no such"];

    private static readonly string[] Operations =
    [
        "SendMessageBatch", "SendMessage", "ReceiveMessage", "DeleteMessageBatch", "DeleteMessage", "ChangeMessageVisibilityBatch",
        "ChangeMessageVisibility",
    ];

    private static readonly string[] Rare = ["CreateQueue", "GetQueueUrl", "ListQueues", "GetQueueAttributes", "SetQueueAttributes",
        "PurgeQueue", "DeleteQueue", "Nothing"];

    private readonly List<string> _handles = ["", "none"];
    private int _created;

    public (string Operation, byte[] Body) Next()
    {
        // Queues first: without one everything is refused alike.
        var operation = _created < Names.Length - 1 ? "CreateQueue" : draw.OneIn(6) ? draw.Of<string>(Rare) : draw.Of<string>(Operations);
        var name = operation == "CreateQueue" ? Names[_created++ % Names.Length] : draw.Of<string>(Names);
        return (operation, JsonDraw.Bytes(draw, JsonDraw.Object(draw, [Queue(operation, name), .. Members(operation, name)])));
    }

    /// <summary>Takes the receipt handles out of an answer.</summary>
    public void Learn(JsonElement answer)
    {
        if (!answer.TryGetProperty("Messages", out var messages))
            return;
        foreach (var message in messages.EnumerateArray())
            _handles.Add(message.GetProperty("ReceiptHandle").GetString()!);
    }

    private static (string Name, string Value) Queue(string operation, string name) =>
        operation is "CreateQueue" or "GetQueueUrl"
            ? ("QueueName", JsonDraw.Text(name))
            : ("QueueUrl", JsonDraw.Text($"http://localhost/000000000000/{name}"));

    private (string Name, string Value)[] Members(string operation, string name) => operation switch
    {
        "SendMessage" => Message(name),
        "SendMessageBatch" => [("Entries", Entries(_ => Message(name)))],
        "ReceiveMessage" =>
        [
            ("MaxNumberOfMessages", $"{draw.Between(1, 10)}"), ("WaitTimeSeconds", draw.OneIn(10) ? "20" : "0"),
            ("VisibilityTimeout", $"{draw.Below(4)}"),
            ("MessageSystemAttributeNames", "[\"All\"]"), ("MessageAttributeNames", draw.Of("[\"All\"]", "[\"a.*\"]", "[]")),
            ("ReceiveRequestAttemptId", "\"x\""),
        ],
        "DeleteMessage" => [("ReceiptHandle", Handle())],
        "DeleteMessageBatch" => [("Entries", Entries(_ => [("ReceiptHandle", Handle())]))],
        "ChangeMessageVisibility" => [("ReceiptHandle", Handle()), ("VisibilityTimeout", $"{draw.Below(5)}")],
        "ChangeMessageVisibilityBatch" =>
            [("Entries", Entries(_ => [("ReceiptHandle", Handle()), ("VisibilityTimeout", $"{draw.Below(5)}")]))],
        "CreateQueue" or "SetQueueAttributes" => [("Attributes", JsonDraw.Object(draw, Attributes(name)))],
        "GetQueueAttributes" => [("AttributeNames", draw.Of("[\"All\"]", "[\"QueueArn\",\"Policy\"]"))],
        "ListQueues" => [("QueueNamePrefix", "\"\""), ("MaxResults", $"{draw.Between(1, 3)}"), ("NextToken", draw.Of("\"a\"", "null"))],
        _ => [],
    };

    private (string, string)[] Message(string name) =>
    [
        ("MessageBody", draw.Of("\"x\"", "\"\\u00e9 \\n\"", "\"\\ud83d\\ude00\"")), ("DelaySeconds", draw.OneIn(3) ? "2" : "0"),
        ("MessageAttributes",
            JsonDraw.Object(
                draw,
                ("a.b",
                    JsonDraw.Object(
                        draw, ("DataType", draw.Of("\"String\"", "\"Number\"", "\"Binary\"")), ("StringValue", "\"1\""),
                        ("BinaryValue", "\"AQ==\""))))),
        .. draw.OneIn(4) ? [("MessageGroupId", $"\"{draw.Below(3)}\"")] : Array.Empty<(string, string)>(),
    ];

    private string Entries(Func<int, (string, string)[]> entry) =>
        JsonDraw.List(
            draw, draw.OneIn(15) ? 11 : draw.Below(5),
            index => JsonDraw.Object(draw, [("Id", $"\"{(draw.OneIn(30) ? 0 : index)}\""), .. entry(index)]));

    private string Handle() => JsonDraw.Text(draw.OneIn(8) ? "none" : _handles[^draw.Between(1, Math.Min(_handles.Count, 12))]);

    private (string, string)[] Attributes(string name) =>
    [
        .. draw.OneIn(4) ? [("MessageRetentionPeriod", "\"60\"")] : Array.Empty<(string, string)>(),
        .. draw.OneIn(2) ? [("VisibilityTimeout", $"\"{draw.Below(30)}\"")] : Array.Empty<(string, string)>(),
        .. draw.OneIn(3)
            ? [("RedrivePolicy",
                JsonDraw.Text(
                    JsonDraw.Object(
                        draw, ("deadLetterTargetArn", "\"arn:aws:sqs:us-east-1:000000000000:dead\""), ("maxReceiveCount", "2"))))]
            : Array.Empty<(string, string)>(),
        .. draw.OneIn(4) ? [("DelaySeconds", "\"1\""), ("MaximumMessageSize", "\"1024\"")] : Array.Empty<(string, string)>(),
    ];
}
