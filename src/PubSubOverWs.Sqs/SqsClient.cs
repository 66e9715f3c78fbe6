namespace PubSubOverWs.Sqs;

/// <summary>Makes the client that <c>Sqs:Client</c> names.</summary>
public static class SqsClient
{
    /// <exception cref="SqsException">No region can be found, or the endpoint is not a URL.</exception>
    public static ISqs Create(SqsOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options.Client == SqsClientKind.AwsSdk ? new SqsOverAwsSdk(options, time) : new SqsOverHttp(options, time);
    }
}
