namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>Every behaviour on streams of Redis.</summary>
public sealed class RedisQueueTests(RedisServer server) : IClassFixture<RedisServer>
{
    public static TheoryData<string> Behaviours => QueueBehaviours.NamesBut();

    [TheoryNeeds(Needed.Redis)]
    [MemberData(nameof(Behaviours))]
    public Task It_does(string behaviour) => QueueBehaviours.TryAsync(behaviour, server);
}
