using Amazon.Runtime;
using Amazon.Runtime.Internal;
using Amazon.SQS;
using Amazon.SQS.Internal;

namespace PubSubOverWs.Sqs;

/// <summary>
/// The SDK's client without its own look at MD5: that refuses a whole receive for one body that is not what it should be, and says not
/// which.
/// <see cref="SqsOverAwsSdk"/> looks at each body itself.
/// </summary>
internal sealed class PlainSqsClient(AWSCredentials credentials, AmazonSQSConfig config) : AmazonSQSClient(credentials, config)
{
    protected override void CustomizeRuntimePipeline(RuntimePipeline pipeline)
    {
        base.CustomizeRuntimePipeline(pipeline);
        pipeline.RemoveHandler<ValidationResponseHandler>();
    }
}
