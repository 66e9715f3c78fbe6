namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>Every behaviour on streams of NATS JetStream.</summary>
public sealed class NatsQueueTests(NatsServer server) : IClassFixture<NatsServer>
{
    public static TheoryData<string> Behaviours => QueueBehaviours.NamesBut();

    [TheoryNeeds(Needed.Nats)]
    [MemberData(nameof(Behaviours))]
    public Task It_does(string behaviour) => QueueBehaviours.TryAsync(behaviour, server);
}

/// <summary>The same on a newer NATS.</summary>
public sealed class NatsNewQueueTests(NewNatsServer server) : IClassFixture<NewNatsServer>
{
    public static TheoryData<string> Behaviours => QueueBehaviours.NamesBut();

    [TheoryNeeds(Needed.NewNats)]
    [MemberData(nameof(Behaviours))]
    public Task It_does(string behaviour) => QueueBehaviours.TryAsync(behaviour, server);
}
