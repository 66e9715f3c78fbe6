using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class FifoLineTests
{
    private readonly FifoLine _line = new();

    [Fact]
    public void A_group_is_forgotten_with_the_last_of_its_messages()
    {
        var first = Message(1, "one");
        var second = Message(2, "one");
        _line.Add(first);
        _line.Add(second);
        Assert.True(_line.TryTake(out _));
        Assert.True(_line.TryTake(out _));
        _line.Hold(first);

        _line.Forget(second);
        Assert.Equal(1, _line.Groups);

        _line.Forget(first);
        Assert.Equal(0, _line.Groups);
        Assert.False(_line.HasNext);
    }

    [Fact]
    public void A_group_that_was_forgotten_between_a_take_and_its_hold_holds_up_all_the_same()
    {
        var first = Message(1, "one");
        var second = Message(2, "one");
        _line.Add(first);
        _line.Add(second);
        _line.TryTake(out _);
        _line.TryTake(out _);
        _line.Forget(second);

        _line.Hold(first);
        _line.Add(Message(3, "one"));

        Assert.False(_line.HasNext);
        Assert.False(_line.TryTake(out _));
        _line.Add(first);
        Assert.True(_line.TryTake(out var next));
        Assert.Same(first, next);
    }

    private static StoredMessage Message(ulong number, string group) =>
        new(number, TestQueue.Body("x"), new MessageExtras(group, $"{number}"), sentAt: 0);
}
