using PubSubOverWs.EndToEndTests.Queues;

namespace PubSubOverWs.LocalStackTests;

/// <summary>Every behaviour that a pubsub server relies on, on the server.</summary>
[Collection(nameof(OneServer))]
public sealed class QueueTests(QueueServer server)
{
    public static TheoryData<string> Behaviours => QueueBehaviours.NamesBut(QueueBehaviours.Restart);

    [EndpointTheory]
    [MemberData(nameof(Behaviours))]
    public Task It_does(string behaviour) => QueueBehaviours.TryAsync(behaviour, new SqsQueueServer(server.Endpoint));
}
