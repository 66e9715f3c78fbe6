namespace PubSubOverWs.Sqs;

/// <summary>
/// The error codes that callers decide on: those of SQS (the end of <c>__type</c>), and our own for calls without an answer.
/// </summary>
public static class SqsErrorCode
{
    public const string QueueDoesNotExist = nameof(QueueDoesNotExist);
    public const string QueueNameExists = nameof(QueueNameExists);
    public const string QueueDeletedRecently = nameof(QueueDeletedRecently);
    public const string ReceiptHandleIsInvalid = nameof(ReceiptHandleIsInvalid);
    public const string MessageNotInflight = nameof(MessageNotInflight);
    public const string InvalidMessageContents = nameof(InvalidMessageContents);
    public const string InvalidParameterValue = nameof(InvalidParameterValue);
    public const string OverLimit = nameof(OverLimit);
    public const string RequestThrottled = nameof(RequestThrottled);
    public const string BatchRequestTooLong = nameof(BatchRequestTooLong);

    /// <summary>Ours: no connection, or it broke before the answer was complete.</summary>
    public const string Unreachable = nameof(Unreachable);

    /// <summary>Ours: no connection, because this process may not open more files.</summary>
    public const string OutOfDescriptors = nameof(OutOfDescriptors);

    /// <summary>Ours: no answer within the time-out.</summary>
    public const string TimedOut = nameof(TimedOut);

    /// <summary>Ours: no credentials were configured or found.</summary>
    public const string NoCredentials = nameof(NoCredentials);

    /// <summary>Ours: there were credentials, and they cannot be renewed at the moment. Nothing was sent.</summary>
    public const string CredentialsNotRenewed = nameof(CredentialsNotRenewed);

    /// <summary>Ours: no region was configured or found.</summary>
    public const string NoRegion = nameof(NoRegion);

    /// <summary>Ours: AWS's own settings name another server, and ours do not.</summary>
    public const string EndpointElsewhere = nameof(EndpointElsewhere);

    /// <summary>Ours: the answer is not one of SQS.</summary>
    public const string BadAnswer = nameof(BadAnswer);

    /// <summary>Ours: the MD5 that the queue names is not that of the body.</summary>
    public const string Md5Mismatch = nameof(Md5Mismatch);

    /// <summary>Some servers say <c>AWS.SimpleQueueService.MessageNotInflight</c>, as the older Query protocol did.</summary>
    internal static string WithoutPrefix(string code) => code[(code.LastIndexOf('.') + 1)..];
}

/// <summary>
/// The error codes of SNS that callers decide on. Calls without an answer have those of <see cref="SqsErrorCode"/>.
/// </summary>
public static class SnsErrorCode
{
    public const string NotFound = nameof(NotFound);
    public const string InvalidParameter = nameof(InvalidParameter);
    public const string AuthorizationError = nameof(AuthorizationError);
    public const string EmptyBatchRequest = nameof(EmptyBatchRequest);
    public const string TooManyEntriesInBatchRequest = nameof(TooManyEntriesInBatchRequest);
    public const string BatchRequestTooLong = nameof(BatchRequestTooLong);
}
