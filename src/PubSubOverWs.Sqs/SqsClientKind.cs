namespace PubSubOverWs.Sqs;

/// <summary>The two clients of <see cref="ISqs"/>. Both keep the same promises; their costs differ.</summary>
public enum SqsClientKind
{
    /// <summary>Our own, <see cref="SqsOverHttp"/>: less CPU and memory for each call.</summary>
    Http,

    /// <summary>Amazon's, AWSSDK.SQS, behind <see cref="SqsOverAwsSdk"/>: what most programs on AWS use.</summary>
    AwsSdk,
}
