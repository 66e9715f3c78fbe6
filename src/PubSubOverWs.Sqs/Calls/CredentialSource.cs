using Amazon.Runtime;
using Amazon.Runtime.Credentials;
using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>
/// The credentials of calls: the configured keys, or those of the AWS default chain (environment, profile, container, instance), looked
/// up once.
/// Safe from any thread.
/// </summary>
/// <param name="options">With or without keys.</param>
/// <param name="lookUp">Asks the chain; null: AWS's own. A test puts another one in its place.</param>
internal sealed class CredentialSource(SqsOptions options, Func<Task<AWSCredentials>>? lookUp = null)
{
    private readonly ImmutableCredentials? _configured = string.IsNullOrEmpty(options.AccessKey)
        ? null
        : new ImmutableCredentials(
            options.AccessKey, options.SecretKey, string.IsNullOrEmpty(options.SessionToken) ? null : options.SessionToken);

    private readonly Func<Task<AWSCredentials>> _lookUp = lookUp ?? (() => DefaultAWSCredentialsIdentityResolver.GetCredentialsAsync());
    private readonly Lock _gate = new();
    private Task<AWSCredentials>? _found;
    private volatile bool _hadSome;

    /// <summary>The current credentials: temporary ones renew themselves.</summary>
    /// <exception cref="QueueException">
    /// <see cref="SqsErrorCode.NoCredentials"/>: there never were any; <see cref="SqsErrorCode.CredentialsNotRenewed"/>: there were, so
    /// it may pass, and nothing was sent.
    /// </exception>
    public async ValueTask<ImmutableCredentials> GetAsync()
    {
        if (_configured is not null)
            return _configured;
        var found = Find();
        try
        {
            var credentials = await (await found).GetCredentialsAsync();
            _hadSome = true;
            return credentials;
        }
        catch (Exception failure) when (IsOfTheChain(failure))
        {
            // The next call repeats a look-up that failed; credentials that were found stay, and are asked again.
            if (!found.IsCompletedSuccessfully)
                Forget(found);
            throw _hadSome ? NotRenewed(failure) : NoneFound(failure);
        }
    }

    public static QueueException NoneFound(Exception cause) => new(
        SqsErrorCode.NoCredentials,
        "No AWS credentials were found: set Sqs:AccessKey and Sqs:SecretKey, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile.",
        isRetryable: false,
        cause);

    /// <summary>
    /// The queue says that they have expired: look them up again for the next attempt. False: they are configured, and cannot change.
    /// </summary>
    public bool TryForget()
    {
        Forget(null);
        return _configured is null;
    }

    private Task<AWSCredentials> Find()
    {
        lock (_gate)
            return _found ??= _lookUp();
    }

    /// <param name="found">Only if it is this one: another call may have looked them up since. Null: any.</param>
    private void Forget(Task<AWSCredentials>? found)
    {
        lock (_gate)
        {
            if (found is null || ReferenceEquals(found, _found))
                _found = null;
        }
    }

    private static QueueException NotRenewed(Exception cause) => new(
        SqsErrorCode.CredentialsNotRenewed,
        $"The AWS credentials could not be renewed ({cause.Message.TrimEnd('.')}): "
        + "check whether their source answers. Nothing was sent.",
        isRetryable: true,
        cause)
    {
        MayHaveArrived = false,
    };

    // The SDK wraps most failures of its providers; the rest are exceptions of files, processes and connections, including time-outs: no
    // token of ours is passed.
    private static bool IsOfTheChain(Exception failure) =>
        failure is AmazonClientException or AmazonServiceException or ProcessAWSCredentialException or HttpRequestException or IOException
            or UnauthorizedAccessException or TimeoutException or OperationCanceledException;
}
