using Amazon.Runtime;
using Amazon.Runtime.Credentials;

namespace PubSubOverWs.Sqs;

/// <summary>As whom to call: the configured keys, or what the AWS default chain finds (environment, profile, container, instance), looked up once.</summary>
internal sealed class CredentialSource(SqsOptions options)
{
    private readonly ImmutableCredentials? _configured = string.IsNullOrEmpty(options.AccessKey)
        ? null
        : new ImmutableCredentials(options.AccessKey, options.SecretKey, string.IsNullOrEmpty(options.SessionToken) ? null : options.SessionToken);

    private AWSCredentials? _found;

    /// <summary>The credentials of now: temporary ones renew themselves.</summary>
    /// <exception cref="SqsException"><see cref="SqsErrorCode.NoCredentials"/>.</exception>
    public async ValueTask<ImmutableCredentials> GetAsync()
    {
        if (_configured is not null)
            return _configured;
        try
        {
            _found ??= await DefaultAWSCredentialsIdentityResolver.GetCredentialsAsync();
            return await _found.GetCredentialsAsync();
        }
        catch (Exception failure) when (failure is AmazonClientException or AmazonServiceException)
        {
            throw NoneFound(failure);
        }
    }

    public static SqsException NoneFound(Exception cause) => new(
        SqsErrorCode.NoCredentials,
        "No AWS credentials were found: set Sqs:AccessKey and Sqs:SecretKey, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile.",
        isRetryable: false,
        cause);

    /// <summary>The queue says that they have expired: look them up anew for the next attempt. False: they are configured, and stay what they are.</summary>
    public bool TryForget()
    {
        _found = null;
        return _configured is null;
    }
}
