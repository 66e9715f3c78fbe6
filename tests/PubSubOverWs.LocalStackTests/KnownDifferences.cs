namespace PubSubOverWs.LocalStackTests;

/// <summary>
/// The differences of LocalStack from SQS: the name of the behaviour, and what was seen, over both clients. Each is tried, and must fail.
/// </summary>
internal static class KnownDifferences
{
    private const string NoSignatures = "signatures are not looked at";
    private const string NoTotal = "a visibility of any length is taken, and the time since the receive is not counted";
    private const string ServerError = "told as a fault of the server, 500";
    private const string OtherCode = "told as InvalidParameterValueException, which is no code of SQS";
    private const string AnyTopicEntry = "entries of a batch are not looked at before they are published";

    private static readonly Dictionary<string, string> Of4_12_0 = new()
    {
        ["Batches: A body that SQS does not take fails alone"] = "it does, and the answer blames the queue (SenderFault is false)",
        ["Batches: An id that SQS does not allow is refused"] = "letters outside ASCII pass",
        ["Bodies: An empty body is refused"] = "in a batch told as a fault of the server, 500",
        ["Bodies: Half of a surrogate pair is refused"] = ServerError,
        ["DeadLetters: A dead letter queue that does not exist is refused"] = "it is not looked for",
        ["Delays: No more than fifteen minutes are taken"] = "any delay is taken",
        ["Errors: A parameter out of its range is refused"] = "a visibility of more than 12 h is taken, and a maximum of 0 messages",
        ["Errors: A parameter that is missing is refused"] = "a missing QueueUrl is told as a queue that does not exist",
        ["Errors: An error names its older code in a header"] = "it does, but the type in its body has no namespace",
        ["Errors: An operation that SQS does not have is refused"] = ServerError,
        ["Errors: Invalid JSON is refused"] = ServerError,
        ["Limits: A queue may take less and a larger body fails alone"] = OtherCode,
        ["LongPolls: A poll that was cut off takes no message with it"] = "a poll goes on when its caller is gone, and hides what it gets",
        ["Publishes: A batch has one to ten entries"] = "an empty one is told as a fault of the server, 500",
        ["Publishes: An empty message fails alone"] = AnyTopicEntry,
        ["Publishes: An id that SNS does not allow is refused"] = AnyTopicEntry,
        ["Queues: An attribute out of its range is refused"] = "any value is taken",
        ["Receipts: The handle of an earlier receive deletes nothing"] = "it does not, and is an error",
        ["Signatures: A call signed half an hour ago or ahead is refused"] = NoSignatures,
        ["Signatures: A call signed with an unknown key is refused"] = NoSignatures,
        ["Signatures: A call signed with another secret is refused"] = NoSignatures,
        ["Signatures: A call whose body was changed after signing is refused and has no effect"] = NoSignatures,
        ["Signatures: A call whose target was changed after signing is refused and has no effect"] = NoSignatures,
        ["Signatures: A call without a signature is refused"] = NoSignatures,
        ["Subscriptions: A queue whose policy does not name the topic gets nothing without an error"] =
            "policies are kept and not looked at",
        ["TopicSignatures: A call signed for SQS is refused"] = ServerError,
        ["TopicSignatures: A call signed with another secret is refused and has no effect"] = NoSignatures,
        ["TopicSignatures: A call without a signature is refused"] = NoSignatures,
        ["Visibility: A deleted message cannot be hidden"] = OtherCode,
        ["Visibility: A message that is not in flight cannot be hidden"] = "the call is taken",
        ["Visibility: No more than twelve hours are taken"] = NoTotal,
        ["Visibility: Twelve hours are counted from the receive"] = NoTotal,
    };

    /// <param name="version">Of LocalStack; null: another server, whose differences a run is there to show.</param>
    public static IReadOnlyDictionary<string, string> Of(string? version) => version switch
    {
        null => new Dictionary<string, string>(),
        _ => Of4_12_0,
    };
}
