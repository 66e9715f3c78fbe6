namespace PubSubOverWs.Sqs;

/// <summary>Makes a call until an attempt succeeds, or fails in a way that a retry cannot help.</summary>
internal sealed class Attempts(SqsOptions options, TimeProvider time, SqsTraffic traffic)
{
    /// <summary>The credentials of each attempt; looked up again when the queue says that they have expired.</summary>
    public CredentialSource Credentials { get; } = new(options);

    /// <summary>The waits between attempts.</summary>
    public Retries Retries { get; } = new(options, time, traffic);

    /// <summary>The result of the first attempt that succeeds.</summary>
    /// <param name="operation">The operation to call.</param>
    /// <param name="attempt">Gets its number, 1 for the first.</param>
    /// <param name="betweenAttempts">Ends the call before an attempt or while it waits for the next one; why it waits is the cause of the
    /// cancellation.</param>
    /// <exception cref="SqsException">The last attempt failed, or one failed in a way that a retry cannot help.</exception>
    public async ValueTask<T> RunAsync<T>(SqsOperation operation, Func<int, Task<T>> attempt, CancellationToken betweenAttempts)
    {
        var mayHaveArrived = false;
        for (var number = 1; ; number++)
        {
            betweenAttempts.ThrowIfCancellationRequested();
            try
            {
                return await attempt(number);
            }
            catch (SqsException failure) when (failure.IsRetryable || (IsExpired(failure) && Credentials.TryForget()))
            {
                mayHaveArrived |= failure.MayHaveArrived;
                if (operation.Kind == SqsCall.Receive && failure.MayHaveArrived && !SqsFaults.IsThrottling(failure.Code))
                    traffic.CountUnansweredReceive();
                if (await Retries.MayRetryAsync(number, failure, betweenAttempts))
                    continue;
                throw mayHaveArrived ? failure.AfterOneThatMayHaveArrived() : failure;
            }
            catch (SqsException failure) when (mayHaveArrived)
            {
                throw failure.AfterOneThatMayHaveArrived();
            }
        }
    }

    private static bool IsExpired(SqsException failure) => failure.Code is "ExpiredToken" or "ExpiredTokenException" or "RequestExpired";
}
