using Amazon.Runtime;

namespace PubSubOverWs.Sqs;

/// <summary>
/// Makes calls through the SDK as <see cref="SqsTransport"/> makes them without it: the same time-outs, the same retries (the SDK's own are
/// off, because they would repeat a receive when the server stops), the same error messages.
/// </summary>
internal sealed class AwsSdkCalls
{
    private readonly SqsOptions _options;
    private readonly TimeProvider _time;
    private readonly SqsFaults _faults;
    private readonly Attempts _attempts;

    public AwsSdkCalls(SqsAddress address, SqsOptions options, TimeProvider time, SqsTraffic traffic)
    {
        (_options, _time, _faults) = (options, time, new SqsFaults(address));
        _attempts = new Attempts(options, time, traffic);
        Credentials = new SourcedCredentials(_attempts.Credentials);
    }

    public Retries Retries => _attempts.Retries;

    /// <summary>For the SDK's client.</summary>
    public SourcedCredentials Credentials { get; }

    /// <summary>The result of <paramref name="call"/> in the first attempt that succeeds.</summary>
    /// <param name="operation">The operation to call.</param>
    /// <param name="call">Asks through the SDK and reads the answer; ends an attempt under way when its token fires.</param>
    /// <param name="wait">How long the queue was asked to keep the call open.</param>
    /// <param name="betweenAttempts">Ends the call before an attempt or while it waits for the next one; why it waits is the cause of the
    /// cancellation.</param>
    /// <param name="inFlight">Ends an attempt under way.</param>
    /// <exception cref="SqsException">The last attempt failed, or one failed in a way that a retry cannot help.</exception>
    public ValueTask<T> RunAsync<T>(
        SqsOperation operation, Func<CancellationToken, Task<T>> call, TimeSpan wait, CancellationToken betweenAttempts,
        CancellationToken inFlight) =>
        _attempts.RunAsync(operation, _ => AttemptAsync(operation, call, _options.RequestTimeout + wait, inFlight), betweenAttempts);

    private async Task<T> AttemptAsync<T>(
        SqsOperation operation, Func<CancellationToken, Task<T>> call, TimeSpan timeout, CancellationToken cancellationToken)
    {
        await Credentials.LookUpAsync();
        using var timer = new CancellationTokenSource(timeout, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timer.Token, cancellationToken);
        try
        {
            return await call(either.Token);
        }
        catch (OperationCanceledException cancelled) when (!cancellationToken.IsCancellationRequested)
        {
            // Not the caller's token, so our timer, or the handler's own for connecting.
            throw timer.IsCancellationRequested ? _faults.TimedOut(operation, timeout, cancelled) : _faults.Unreachable(cancelled);
        }
        catch (Exception failure) when (Find<HttpRequestException>(failure) is { } broken)
        {
            // The SDK may pass it on unchanged, or wrapped in its own exception.
            throw _faults.Unreachable(broken);
        }
        catch (Exception failure) when (failure is IOException or TimeoutException)
        {
            throw _faults.Unreachable(failure);
        }
        catch (RefusedAnswerException refused)
        {
            throw _faults.Refused(operation, refused.Status, refused.Body, ahead: _time.GetUtcNow() - refused.Date);
        }
        catch (Exception failure) when (failure is AmazonServiceException or AmazonClientException || SqsFaults.IsUnreadable(failure))
        {
            throw _faults.BadAnswer(operation, failure);
        }
    }

    private static TException? Find<TException>(Exception? failure)
        where TException : Exception =>
        failure is null or TException ? failure as TException : Find<TException>(failure.InnerException);
}
