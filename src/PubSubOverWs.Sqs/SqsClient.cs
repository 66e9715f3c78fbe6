namespace PubSubOverWs.Sqs;

/// <summary>Makes the client that <c>Sqs:Client</c> names.</summary>
public static class SqsClient
{
    /// <exception cref="SqsException">
    /// <see cref="SqsErrorCode.NoAwsSdk"/>, no region can be found, or the endpoint is not a URL.
    /// </exception>
    public static ISqs Create(SqsOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options.Client == SqsClientKind.AwsSdk ? CreateAwsSdk(options, time) : new SqsOverHttp(options, time);
    }

#if AWS_SDK
    private static SqsOverAwsSdk CreateAwsSdk(SqsOptions options, TimeProvider time) => new(options, time);
#else
    private static ISqs CreateAwsSdk(SqsOptions options, TimeProvider time) => throw new SqsException(
        SqsErrorCode.NoAwsSdk,
        "Sqs:Client is AwsSdk, and this program was built without AWSSDK.SQS: build it with -p:AwsPackages=true, or set Sqs:Client to Http.",
        isRetryable: false);
#endif
}
