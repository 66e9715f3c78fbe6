namespace PubSubOverWs.Sqs;

/// <summary>The two clients of <see cref="ISqs"/>.</summary>
public enum SqsClientKind
{
    /// <summary>Our own, over HTTP: less CPU for each message, and every byte counted.</summary>
    Http,

    /// <summary>Amazon's, AWSSDK.SQS: only in programs built with <c>-p:AwsPackages=true</c>.</summary>
    AwsSdk,
}
