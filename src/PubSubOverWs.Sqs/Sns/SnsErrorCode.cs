namespace PubSubOverWs.Sqs;

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
