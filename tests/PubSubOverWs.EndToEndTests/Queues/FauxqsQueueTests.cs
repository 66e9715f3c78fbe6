using PubSubOverWs.EndToEndTests.Sqs;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>Every behaviour on a server of SQS of another project.</summary>
public sealed class FauxqsQueueTests(FauxqsContractTests.Server server) : IClassFixture<FauxqsContractTests.Server>
{
    // fauxqs 1.9.2 refuses characters above U+FFFF.
    public static TheoryData<string> Behaviours => QueueBehaviours.NamesBut(
        QueueBehaviours.Restart, nameof(QueueBehaviours.A_message_comes_as_it_was_sent_with_characters_of_every_plane));

    [TheoryNeeds(Needed.Node)]
    [MemberData(nameof(Behaviours))]
    public Task It_does(string behaviour) => QueueBehaviours.TryAsync(behaviour, new SqsQueueServer(server.Endpoint));
}
