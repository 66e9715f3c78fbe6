namespace PubSubOverWs.Sqs;

/// <summary>The differences between the two services that we call: their names and protocols.</summary>
/// <param name="Id">In the host name of AWS and in the scope of a signature.</param>
/// <param name="Name">The name that users know.</param>
/// <param name="Subject">The subject of error messages, such as "The queue".</param>
/// <param name="ContentType">Of requests, exactly as it is signed.</param>
/// <param name="HasTarget">
/// The operation is in the header <c>X-Amz-Target</c>, and <c>x-amzn-query-mode</c> asks for the older error codes beside the new ones.
/// False: it is in the body, as <c>Action</c>, and answers are XML.
/// </param>
internal sealed record AwsService(string Id, string Name, string Subject, string ContentType, bool HasTarget)
{
    /// <summary>AWS JSON 1.0.</summary>
    public static readonly AwsService Sqs = new("sqs", "SQS", "The queue", "application/x-amz-json-1.0", HasTarget: true);

    /// <summary>AWS Query: a form in, XML out.</summary>
    public static readonly AwsService Sns = new("sns", "SNS", "SNS", "application/x-www-form-urlencoded", HasTarget: false);
}
