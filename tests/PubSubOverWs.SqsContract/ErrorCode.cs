namespace PubSubOverWs.SqsContract;

/// <summary>
/// An error of SQS has several spellings: <c>com.amazonaws.sqs#QueueDoesNotExist</c>,
/// <c>AWS.SimpleQueueService.NonExistentQueue;Sender</c>,
/// <c>com.amazon.coral.service#InvalidParameterValueException</c>.
/// </summary>
internal static class ErrorCode
{
    /// <param name="code">The spelling of the API reference of SQS.</param>
    /// <param name="spelling">The endpoint's spelling; null: there is none.</param>
    public static bool Is(string code, string? spelling)
    {
        if (spelling is null)
            return false;
        var name = spelling.Split(';')[0];
        name = name[(name.LastIndexOfAny(['#', '.']) + 1)..];
        return name == code || name == $"{code}Exception";
    }
}
