using Amazon.Runtime;
using Amazon.Runtime.Internal;
using Amazon.SQS;
using Amazon.SQS.Internal;

namespace PubSubOverWs.Sqs;

/// <summary>
/// The SDK's client without its own check of MD5, which refuses a whole receive for one wrong body, and does not say which.
/// <see cref="SqsOverAwsSdk"/> checks each body itself.
/// </summary>
internal sealed class PlainSqsClient(AWSCredentials credentials, AmazonSQSConfig config) : AmazonSQSClient(credentials, config)
{
    protected override void CustomizeRuntimePipeline(RuntimePipeline pipeline)
    {
        base.CustomizeRuntimePipeline(pipeline);
        pipeline.RemoveHandler<ValidationResponseHandler>();
    }
}
