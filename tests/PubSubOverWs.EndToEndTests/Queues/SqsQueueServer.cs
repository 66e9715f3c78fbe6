using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>A server of SQS that runs elsewhere.</summary>
internal sealed class SqsQueueServer(ContractEndpoint endpoint) : IQueueServer
{
    public Uri Address => endpoint.Address;

    public IQueue Connect(Uri address) => SqsClient.Create((endpoint with { Address = address }).ClientOptions, TimeProvider.System);

    public Task RestartAsync() => throw new NotSupportedException("It belongs to others.");
}
