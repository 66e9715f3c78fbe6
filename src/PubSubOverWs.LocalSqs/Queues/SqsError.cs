namespace PubSubOverWs.LocalSqs;

/// <summary>An error of SQS as its API reference lists it.</summary>
/// <param name="Code">The end of <c>__type</c>.</param>
/// <param name="QueryCode">The code of the older Query protocol, in the header <c>x-amzn-query-error</c>.</param>
/// <param name="Status">HTTP status.</param>
public sealed record SqsError(string Code, string QueryCode, int Status)
{
    public static readonly SqsError QueueDoesNotExist = new("QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue", 400);
    public static readonly SqsError QueueNameExists = new("QueueNameExists", "QueueAlreadyExists", 400);
    public static readonly SqsError QueueDeletedRecently = Legacy("QueueDeletedRecently");
    public static readonly SqsError PurgeQueueInProgress = Legacy("PurgeQueueInProgress", 403);
    public static readonly SqsError OverLimit = new("OverLimit", "OverLimit", 403);
    public static readonly SqsError InvalidAttributeName = Plain("InvalidAttributeName");
    public static readonly SqsError InvalidAttributeValue = Plain("InvalidAttributeValue");
    public static readonly SqsError InvalidParameterValue = Plain("InvalidParameterValue");
    public static readonly SqsError MissingParameter = Plain("MissingParameter");
    public static readonly SqsError InvalidMessageContents = Plain("InvalidMessageContents");
    public static readonly SqsError ReceiptHandleIsInvalid = Plain("ReceiptHandleIsInvalid");
    public static readonly SqsError MessageNotInflight = Legacy("MessageNotInflight");
    public static readonly SqsError EmptyBatchRequest = Legacy("EmptyBatchRequest");
    public static readonly SqsError TooManyEntriesInBatchRequest = Legacy("TooManyEntriesInBatchRequest");
    public static readonly SqsError BatchEntryIdsNotDistinct = Legacy("BatchEntryIdsNotDistinct");
    public static readonly SqsError InvalidBatchEntryId = Legacy("InvalidBatchEntryId");
    public static readonly SqsError BatchRequestTooLong = Legacy("BatchRequestTooLong");
    public static readonly SqsError UnsupportedOperation = Legacy("UnsupportedOperation");
    public static readonly SqsError MissingAuthenticationToken = new(
        "MissingAuthenticationTokenException", "MissingAuthenticationToken", 403);
    public static readonly SqsError IncompleteSignature = new("IncompleteSignatureException", "IncompleteSignature", 400);
    public static readonly SqsError UnrecognizedClient = new("UnrecognizedClientException", "InvalidClientTokenId", 403);
    public static readonly SqsError InvalidSignature = new("InvalidSignatureException", "SignatureDoesNotMatch", 403);
    public static readonly SqsError AccessDenied = new("AccessDeniedException", "AccessDenied", 403);
    public static readonly SqsError RequestTooLong = new("RequestEntityTooLargeException", "RequestEntityTooLarge", 413);
    public static readonly SqsError UnknownOperation = new("UnknownOperationException", "InvalidAction", 400);
    public static readonly SqsError ServiceUnavailable = new("ServiceUnavailable", "ServiceUnavailable", 503);
    public static readonly SqsError Serialization = new("SerializationException", "MalformedInput", 400);

    private static SqsError Plain(string code) => new(code, code, 400);

    private static SqsError Legacy(string code, int status = 400) => new(code, "AWS.SimpleQueueService." + code, status);
}

/// <summary>SQS refuses the call. The message goes to the caller.</summary>
public sealed class SqsErrorException(SqsError error, string message) : Exception(message)
{
    public SqsError Error { get; } = error;
}

/// <summary>The errors of SNS, as its API reference lists them.</summary>
public static class SnsError
{
    public static readonly SqsError NotFound = new("NotFound", "NotFound", 404);
    public static readonly SqsError InvalidParameter = new("InvalidParameter", "InvalidParameter", 400);
    public static readonly SqsError InvalidAction = new("InvalidAction", "InvalidAction", 400);

    public static SqsErrorException Invalid(string what) => new(InvalidParameter, $"Invalid parameter: {what}");

    /// <summary>SNS supports it, and LocalSqs does not.</summary>
    public static SqsErrorException Missing(string what) => new(InvalidParameter, $"Invalid parameter: LocalSqs does not have {what}");
}
