namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>Pubsub servers whose queue is a NATS that is killed.</summary>
public sealed class PubSubOnNatsTests(NatsServer server) : PubSubOnQueueTests(server, "Nats"), IClassFixture<NatsServer>
{
    [FactNeeds(Needed.Nats)]
    public override Task Everything_arrives_and_nothing_is_left() => base.Everything_arrives_and_nothing_is_left();

    [FactNeeds(Needed.Nats)]
    public override Task What_a_killed_server_had_comes_to_the_next_one_and_what_was_acknowledged_does_not() =>
        base.What_a_killed_server_had_comes_to_the_next_one_and_what_was_acknowledged_does_not();

    [FactNeeds(Needed.Nats)]
    public override Task A_server_goes_on_with_what_a_killed_queue_took_and_is_not_ready_before() =>
        base.A_server_goes_on_with_what_a_killed_queue_took_and_is_not_ready_before();
}
