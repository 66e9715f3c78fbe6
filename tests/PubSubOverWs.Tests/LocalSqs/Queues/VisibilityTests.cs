using FsCheck;
using FsCheck.Fluent;
using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class VisibilityTests
{
    private readonly TestQueue _test = new();

    [Fact]
    public void A_message_received_with_visibility_zero_comes_once_in_each_receive()
    {
        _test.Send("a", "b");

        Assert.Equal(["a", "b"], TestQueue.Texts(_test.Receive(visibility: TimeSpan.Zero)));
        Assert.Equal(["a", "b"], TestQueue.Texts(_test.Receive(visibility: TimeSpan.Zero)));
        Assert.Equal(new QueueCounts(2, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public void A_message_is_hidden_for_no_more_than_twelve_hours_from_its_receive_and_they_begin_again_with_the_next()
    {
        _test.Send("a");
        var handle = _test.Handle(_test.Receive()[0]);
        _test.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(VisibilityRefusal.BeyondLimit, _test.Queue.ChangeVisibility(handle, TimeSpan.FromSeconds(43_200)));
        Assert.Null(_test.Queue.ChangeVisibility(handle, TimeSpan.FromSeconds(43_199)));

        _test.Time.Advance(TimeSpan.FromSeconds(43_198));
        Assert.Equal(VisibilityRefusal.BeyondLimit, _test.Queue.ChangeVisibility(handle, TimeSpan.FromSeconds(2)));
        Assert.Null(_test.Queue.ChangeVisibility(handle, TimeSpan.FromSeconds(1)));
        Assert.Empty(_test.Receive());
        _test.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(_test.Queue.ChangeVisibility(_test.Handle(_test.Receive()[0]), TimeSpan.FromHours(12)));
    }

    [Fact]
    public void Of_two_messages_visible_again_the_one_that_is_deleted_by_its_latest_receipt_leaves_the_line()
    {
        _test.Send("a", "b");
        var first = _test.Receive(max: 1)[0];
        _test.Time.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(new QueueCounts(2, 0, 0), _test.Queue.Count());

        _test.Queue.Delete(_test.Handle(first));

        Assert.Equal(new QueueCounts(1, 0, 0), _test.Queue.Count());
        Assert.Equal(["b"], TestQueue.Texts(_test.Receive()));
    }
}

public sealed class DueHeapTests
{
    /// <summary>Each step adds an item due at that time, or (below zero) removes one that is there; a sorted list is the oracle.</summary>
    [Fact]
    public void The_first_item_is_always_the_earliest_that_was_added_and_not_removed() => Prop.ForAll<int[]>(steps =>
    {
        var heap = new DueHeap();
        var present = new List<Item>();
        foreach (var step in steps)
        {
            if (step >= 0 || present.Count == 0)
            {
                var item = new Item();
                heap.Add(item, Math.Abs((long)step));
                present.Add(item);
            }
            else
            {
                var item = present[-(step + 1) % present.Count];
                heap.Remove(item);
                present.Remove(item);
            }
            if (heap.Count != present.Count || heap.First?.At != present.MinBy(item => item.At)?.At)
                return false;
        }
        return true;
    }).QuickCheckThrowOnFailure();

    private sealed class Item : Due;
}

public sealed class ReceiptHandleTests
{
    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(uint.MaxValue, ulong.MaxValue, uint.MaxValue)]
    public void A_handle_reads_as_it_was_written(uint queue, ulong number, uint receipt)
    {
        var handle = new ReceiptHandle(queue, number, receipt);
        Span<byte> text = stackalloc byte[ReceiptHandle.MaxLength];
        var length = handle.WriteTo(text);

        Assert.True(ReceiptHandle.TryParse(text[..length], out var read));
        Assert.Equal(handle, read);
    }

    [Fact]
    public void A_receipt_of_an_earlier_process_names_nothing_of_this_one()
    {
        var (earlier, now) = (new TestQueue(), new TestQueue());
        earlier.Send("a");
        now.Send("b");

        Assert.NotEqual(earlier.Handle(Assert.Single(earlier.Receive())), now.Handle(Assert.Single(now.Receive())));
    }

    [Theory]
    [InlineData("")]
    [InlineData("1-2")]
    [InlineData("1-2-")]
    [InlineData("1-2-3-4")]
    [InlineData("g-2-3")]
    [InlineData("123456789-1-1")]
    [InlineData("AQEBzbVv5sQzGx3+/mj2IzzXQ==")]
    public void An_invalid_handle_is_refused(string text) =>
        Assert.False(ReceiptHandle.TryParse(System.Text.Encoding.UTF8.GetBytes(text), out _));
}
