using System.Net;
using System.Net.Http.Headers;

namespace PubSubOverWs.Sqs;

/// <summary>
/// Sends one call to the queue or the topic and returns its answer: signed again for each attempt, retried where that may help.
/// </summary>
internal sealed class SqsTransport(
    SqsAddress address, SqsOptions options, HttpMessageHandler handler, TimeProvider time, SqsTraffic traffic) : IDisposable
{
    // Not HttpClient: it would buffer the answer once more, and its one time-out cannot know of long polls.
    private readonly HttpMessageInvoker _invoker = new(handler);
    private readonly Attempts _attempts = new(options, time, traffic);
    private readonly RequestSigner _signer = new(address);
    private readonly MediaTypeHeaderValue _contentType = new(address.Service.ContentType);

    public Retries Retries => _attempts.Retries;

    public SqsFaults Faults { get; } = new(address);

    /// <summary>The body of the answer, to be disposed.</summary>
    /// <param name="operation">The operation to call.</param>
    /// <param name="body">The body of the request. Disposed here, except after a failure: a connection cut off might still be reading from
    /// it.</param>
    /// <param name="wait">How long the queue was asked to keep the call open.</param>
    /// <param name="betweenAttempts">Ends the call before an attempt or while it waits for the next one; why it waits is the cause of the
    /// cancellation.</param>
    /// <param name="inFlight">Ends an attempt under way.</param>
    /// <exception cref="SqsException">The last attempt failed, or one failed in a way that a retry cannot help.</exception>
    public ValueTask<PooledBytes> CallAsync(
        SqsOperation operation, PooledBytes body, TimeSpan wait, CancellationToken betweenAttempts, CancellationToken inFlight) =>
        _attempts.RunAsync(
            operation,
            async number =>
            {
                var answer = await AttemptAsync(operation, body.Written, options.RequestTimeout + wait, inFlight);
                if (number == 1)
                    body.Dispose();
                return answer;
            },
            betweenAttempts);

    public void Dispose() => _invoker.Dispose();

    private async Task<PooledBytes> AttemptAsync(
        SqsOperation operation, ReadOnlyMemory<byte> body, TimeSpan timeout, CancellationToken cancellationToken)
    {
        var credentials = await _attempts.Credentials.GetAsync();
        using var timer = new CancellationTokenSource(timeout, time);
        using var either = cancellationToken.CanBeCanceled
            ? CancellationTokenSource.CreateLinkedTokenSource(timer.Token, cancellationToken)
            : null;
        try
        {
            using var request = Compose(operation, body, credentials);
            traffic.CountCall(operation.Kind, WireSize.Of(request, address.Endpoint, body.Length));
            using var response = await _invoker.SendAsync(request, (either ?? timer).Token);
            var answer = await ReadAsync(response, (either ?? timer).Token);
            if (response.StatusCode != HttpStatusCode.OK)
                throw Faults.Refused(operation, response.StatusCode, answer.Written, ahead: time.GetUtcNow() - response.Headers.Date);
            return answer;
        }
        catch (OperationCanceledException cancelled) when (!cancellationToken.IsCancellationRequested)
        {
            // Not the caller's token, so our timer, or the handler's own for connecting.
            throw timer.IsCancellationRequested ? Faults.TimedOut(operation, timeout, cancelled) : Faults.Unreachable(cancelled);
        }
        catch (Exception failure) when (failure is HttpRequestException or IOException)
        {
            throw Faults.Unreachable(failure);
        }
    }

    private HttpRequestMessage Compose(SqsOperation operation, ReadOnlyMemory<byte> body, Amazon.Runtime.ImmutableCredentials credentials)
    {
        var authorization = _signer.Sign(credentials, time.GetUtcNow().UtcDateTime, operation.Target, body.Span, out var date);
        var request = new HttpRequestMessage(HttpMethod.Post, address.Endpoint) { Content = new ReadOnlyMemoryContent(body) };
        request.Content.Headers.ContentType = _contentType;
        request.Headers.TryAddWithoutValidation("X-Amz-Date", date);
        if (address.Service.HasTarget)
        {
            request.Headers.TryAddWithoutValidation("X-Amz-Target", operation.Target);
            request.Headers.TryAddWithoutValidation("x-amzn-query-mode", "true");
        }
        if (credentials.UseToken)
            request.Headers.TryAddWithoutValidation("X-Amz-Security-Token", credentials.Token);
        request.Headers.TryAddWithoutValidation("Authorization", authorization);
        return request;
    }

    private async ValueTask<PooledBytes> ReadAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        using var stream = await response.Content.ReadAsStreamAsync(cancellationToken);
        var answer = new PooledBytes((int)Math.Min(response.Content.Headers.ContentLength + 1 ?? 4096, 16 << 20));
        int read;
        while ((read = await stream.ReadAsync(answer.GetMemory(), cancellationToken)) > 0)
            answer.Advance(read);
        traffic.CountAnswer(WireSize.Of(response, answer.Written.Length));
        return answer;
    }
}
