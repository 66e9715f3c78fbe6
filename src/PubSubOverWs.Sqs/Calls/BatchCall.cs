using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>
/// A batch call with its retries: entries that failed on the queue's side are sent again, the others never.
/// </summary>
internal static class BatchCall
{
    /// <summary>The result of an entry until the answer names it.</summary>
    private static readonly EntryResult Unanswered =
        new(new EntryFailure(SqsErrorCode.BadAnswer, "The answer does not name this entry.", SenderFault: false));

    /// <summary>The queue has another body than was sent. Sending again cannot undo that.</summary>
    public static readonly EntryResult Corrupted =
        new(new EntryFailure(SqsErrorCode.Md5Mismatch, "The queue has a body whose MD5 is not that of the body sent.", SenderFault: true));

    /// <summary>One result per entry, in order.</summary>
    /// <param name="entries">Their number.</param>
    /// <param name="ask">Makes the call for entries that <see cref="IsOpen"/>, and puts the result of each in its place.</param>
    /// <param name="retries">Whether and when to call again.</param>
    /// <param name="cancellationToken">Ends the wait before a retry.</param>
    /// <exception cref="QueueException">The first call failed as a whole.</exception>
    public static async ValueTask<IReadOnlyList<EntryResult>> RunAsync(
        int entries, Func<EntryResult[], ValueTask> ask, Retries retries, CancellationToken cancellationToken)
    {
        var results = new EntryResult[entries];
        Array.Fill(results, Unanswered);
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await ask(results);
            }
            catch (QueueException) when (attempt > 1)
            {
                // The first answer has the results of the others: the rest stay failed, as it said.
                return results;
            }
            if (!Array.Exists(results, IsOpen) || !await retries.MayRetryAsync(attempt, failure: null, cancellationToken))
                return results;
        }
    }

    public static bool IsOpen(EntryResult result) => result.Failure is { SenderFault: false };

    public static EntryResult Failed(string? code, string? message, bool senderFault)
    {
        var name = SqsErrorCode.WithoutPrefix(code ?? "");
        return new EntryResult(new EntryFailure(name, message ?? "", senderFault && !SqsFaults.IsThrottling(name)));
    }
}
