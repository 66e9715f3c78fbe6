namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>Every behaviour on quorum queues of RabbitMQ.</summary>
public sealed class RabbitMqQueueTests(RabbitMqServer server) : IClassFixture<RabbitMqServer>
{
    public static TheoryData<string> Behaviours => QueueBehaviours.NamesBut();

    [TheoryNeeds(Needed.RabbitMq)]
    [MemberData(nameof(Behaviours))]
    public Task It_does(string behaviour) => QueueBehaviours.TryAsync(behaviour, server);
}
