using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>Every behaviour on the queue that comes with the product.</summary>
public sealed class LocalSqsQueueTests
{
    public static TheoryData<string> Behaviours => QueueBehaviours.NamesBut(QueueBehaviours.Restart);

    [Theory]
    [MemberData(nameof(Behaviours))]
    public async Task It_does(string behaviour) => await QueueBehaviours.TryAsync(
        behaviour, new SqsQueueServer(new ContractEndpoint((await TestServers.SharedQueueAsync()).Address)));
}
