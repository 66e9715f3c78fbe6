namespace PubSubOverWs.Sqs;

/// <summary>What differs between the two services that we call: their names, and the protocols that they speak.</summary>
/// <param name="Id">In the host name of AWS and in the scope of a signature.</param>
/// <param name="Name">As users know it.</param>
/// <param name="Subject">At the start of a sentence: what answers, or does not.</param>
/// <param name="ContentType">Of requests, exactly as it is signed.</param>
/// <param name="HasTarget">
/// The operation stands in the header <c>X-Amz-Target</c>, and <c>x-amzn-query-mode</c> asks for the older error codes beside the new ones.
/// False: in the body, as <c>Action</c>, and answers are XML.
/// </param>
internal sealed record AwsService(string Id, string Name, string Subject, string ContentType, bool HasTarget)
{
    /// <summary>AWS JSON 1.0.</summary>
    public static readonly AwsService Sqs = new("sqs", "SQS", "The queue", "application/x-amz-json-1.0", HasTarget: true);

    /// <summary>AWS Query: a form in, XML out.</summary>
    public static readonly AwsService Sns = new("sns", "SNS", "SNS", "application/x-www-form-urlencoded", HasTarget: false);
}
