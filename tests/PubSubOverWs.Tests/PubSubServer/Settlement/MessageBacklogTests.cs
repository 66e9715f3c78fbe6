using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class MessageBacklogTests
{
    [Fact]
    public void The_number_of_messages_is_bounded()
    {
        var held = new MessageBacklog(maxMessages: 2, budget: new Budget(100_000));
        Assert.True(held.TryAdd(Message("a"), out _));
        Assert.True(held.TryAdd(Message("b", "/queue/b"), out _));
        Assert.False(held.TryAdd(Message("c", "/queue/c"), out _));
    }

    [Fact]
    public void No_destination_has_more_than_is_left_for_the_others()
    {
        var held = new MessageBacklog(maxMessages: 30, budget: new Budget(100_000));
        int Fill(string destination) => Enumerable.Range(0, 30).Count(i => held.TryAdd(Message($"{i}", destination), out _));
        Assert.Equal([15, 8, 4, 2, 1, 0], Enumerable.Range(0, 6).Select(i => Fill($"/queue/{i}")));
    }

    [Fact]
    public void Messages_held_of_several_queues_are_bounded_together()
    {
        var size = Message("0", body: "body").Memory;
        var memory = new Budget(12 * size);
        var queues = Enumerable.Range(0, 4).Select(_ => new MessageBacklog(maxMessages: 100, memory)).ToArray();
        var let = queues.Select(held => Enumerable.Range(0, 10).Count(i => held.TryAdd(Message($"{i}", body: "body"), out _))).ToArray();
        Assert.Equal([6, 3, 1, 1], let);
        Assert.Equal(11 * size, memory.Taken);
    }

    [Fact]
    public void The_bytes_are_bounded_but_one_message_is_always_accepted()
    {
        var held = new MessageBacklog(maxMessages: 100, budget: new Budget(10));
        Assert.True(held.TryAdd(Message("large", body: "12345678901234567890"), out _));
        Assert.False(held.TryAdd(Message("small", body: "1"), out _));
    }

    [Fact]
    public void Room_that_is_reported_while_a_message_is_in_hand_is_not_forgotten()
    {
        var held = new MessageBacklog(10, new Budget(100_000));
        held.TryAdd(Message("a"), out _);
        var message = Begin(held);
        Assert.False(held.MarkReady("/queue/a"));
        Assert.True(held.Return(message));
        Assert.Same(message, Begin(held));
        Assert.False(held.Return(message));
    }

    [Fact]
    public void A_destination_that_was_gone_through_to_its_end_is_forgotten()
    {
        var held = new MessageBacklog(10, new Budget(100_000));
        held.TryAdd(Message("a"), out _);
        held.Forget(Begin(held));
        Assert.True(held.Count == 0 && !held.TryBegin("/queue/a", out _));
        held.TryAdd(Message("b"), out var mustOffer);
        Assert.True(mustOffer);
    }

    private static InboundMessage Message(string id, string destination = "/queue/a", string body = "body") =>
        RecordingOwner.LeaseOf(Sample.Message(id, destination, body)).Messages[0];

    private static InboundMessage Begin(MessageBacklog held)
    {
        Assert.True(held.TryBegin("/queue/a", out var message));
        return message;
    }
}
