using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>Refusals have the codes that clients decide on.</summary>
internal static class Errors
{
    [Behaviour]
    public static async Task Every_call_to_a_queue_that_does_not_exist_is_refused(Trial trial)
    {
        var url = $"{await trial.CreateQueueAsync()}-not";
        var entry = new { Id = "a", MessageBody = "a", ReceiptHandle = "nonsense", VisibilityTimeout = 0 };
        (string Operation, object Parameters)[] calls =
        [
            ("GetQueueUrl", new { QueueName = url[(url.LastIndexOf('/') + 1)..] }),
            ("GetQueueAttributes", new { QueueUrl = url, AttributeNames = new[] { "All" } }),
            ("SetQueueAttributes", new { QueueUrl = url, Attributes = new { VisibilityTimeout = "1" } }),
            ("PurgeQueue", new { QueueUrl = url }),
            ("DeleteQueue", new { QueueUrl = url }),
            ("SendMessage", new { QueueUrl = url, MessageBody = "a" }),
            ("SendMessageBatch", new { QueueUrl = url, Entries = new[] { entry } }),
            ("ReceiveMessage", new { QueueUrl = url }),
            ("DeleteMessageBatch", new { QueueUrl = url, Entries = new[] { entry } }),
            ("ChangeMessageVisibilityBatch", new { QueueUrl = url, Entries = new[] { entry } }),
        ];

        foreach (var (operation, parameters) in calls)
            (await trial.Raw.CallAsync(operation, parameters)).ShouldBeRefusedWith(SqsErrorCode.QueueDoesNotExist);
    }

    [Behaviour]
    public static async Task An_error_names_its_older_code_in_a_header(Trial trial)
    {
        var answer = await trial.Raw.CallAsync("GetQueueUrl", new { QueueName = trial.NewName() });

        Assert.Equal("AWS.SimpleQueueService.NonExistentQueue;Sender", answer.QueryError);
        Assert.Equal("com.amazonaws.sqs#QueueDoesNotExist", answer.Type);
    }

    [Behaviour]
    public static async Task A_single_delete_or_change_with_a_receipt_that_names_nothing_is_refused(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var parameters = new { QueueUrl = url, ReceiptHandle = "nonsense", VisibilityTimeout = 0 };

        (await trial.Raw.CallAsync("DeleteMessage", parameters)).ShouldBeRefusedWith(SqsErrorCode.ReceiptHandleIsInvalid);
        (await trial.Raw.CallAsync("ChangeMessageVisibility", parameters)).ShouldBeRefusedWith(SqsErrorCode.ReceiptHandleIsInvalid);
    }

    [Behaviour]
    public static async Task A_parameter_out_of_its_range_is_refused(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        object[] receives =
        [
            new { QueueUrl = url, MaxNumberOfMessages = 0 },
            new { QueueUrl = url, MaxNumberOfMessages = 11 },
            new { QueueUrl = url, WaitTimeSeconds = -1 },
            new { QueueUrl = url, WaitTimeSeconds = 21 },
            new { QueueUrl = url, VisibilityTimeout = 43_201 },
        ];

        foreach (var receive in receives)
            (await trial.Raw.CallAsync("ReceiveMessage", receive)).ShouldBeRefusedWith(SqsErrorCode.InvalidParameterValue);
    }

    [Behaviour]
    public static async Task A_parameter_that_is_missing_is_refused(Trial trial)
    {
        (await trial.Raw.CallAsync("GetQueueUrl", "{}")).ShouldBeRefusedWith("MissingParameter");
        (await trial.Raw.CallAsync("SendMessage", new { MessageBody = "a" })).ShouldBeRefusedWith("MissingParameter");
    }

    [Behaviour]
    public static async Task Invalid_JSON_is_refused(Trial trial) =>
        (await trial.Raw.CallAsync("ListQueues", "{")).ShouldBeRefusedWith("SerializationException");

    [Behaviour]
    public static async Task An_operation_that_SQS_does_not_have_is_refused(Trial trial) =>
        (await trial.Raw.CallAsync("PaintQueue", "{}")).ShouldBeRefusedWith("UnknownOperationException");
}
