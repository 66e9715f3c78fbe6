using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class FifoDelayTests
{
    private readonly TestQueue _test = TestQueue.Fifo(("DelaySeconds", "60"));

    [Fact]
    public void Delayed_messages_show_in_order()
    {
        _test.SendTo("one", [.. Enumerable.Range(0, 10).Select(index => $"{index}")]);
        Assert.Equal(new QueueCounts(0, 0, 10), _test.Queue.Count());

        _test.Time.Advance(TimeSpan.FromSeconds(60));

        Assert.Equal(Enumerable.Range(0, 10).Select(index => $"{index}"), TestQueue.Texts(_test.Receive()));
    }

    [Fact]
    public void A_shorter_delay_applies_to_messages_that_are_already_delayed()
    {
        _test.SendTo("one", "a");
        _test.Time.Advance(TimeSpan.FromSeconds(10));
        _test.SendTo("one", "b");

        ChangeDelay("15");
        _test.SendTo("one", "c");

        _test.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(["a"], TestQueue.Texts(_test.Receive(visibility: TimeSpan.Zero)));
        _test.Time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(["a", "b", "c"], TestQueue.Texts(_test.Receive()));
    }

    [Fact]
    public async Task Removing_the_delay_makes_delayed_messages_visible_and_wakes_a_poll()
    {
        _test.SendTo("one", "a", "b");
        var poll = _test.Poll();

        ChangeDelay("0");

        Assert.Equal(["a", "b"], TestQueue.Texts(await poll));
    }

    [Fact]
    public void A_longer_delay_applies_to_messages_that_are_already_delayed()
    {
        _test.SendTo("one", "a");

        ChangeDelay("90");

        _test.Time.Advance(TimeSpan.FromSeconds(89));
        Assert.Empty(_test.Receive());
        _test.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Single(_test.Receive());
    }

    [Fact]
    public void In_a_standard_queue_a_new_delay_applies_to_later_messages_only()
    {
        var standard = new TestQueue(("DelaySeconds", "60"));
        standard.Send(new NewMessage(TestQueue.Body("a")));

        standard.Store.Change("jobs", [new("DelaySeconds", "0")]);

        Assert.Empty(standard.Receive());
    }

    private void ChangeDelay(string seconds) => _test.Store.Change("jobs.fifo", [new("DelaySeconds", seconds)]);
}
