using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Tests.PubSubServer;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workloads;

public sealed class PublishOrderTests
{
    private readonly PublishOrder _order = new(messages: 10, mostUnanswered: 3);

    [Fact]
    public void No_message_is_sent_before_it_is_due()
    {
        Assert.Empty(Sent());

        Due(2);

        Assert.Equal([0, 1], Sent());
        Assert.Empty(Sent());
    }

    [Fact]
    public void Too_many_without_an_answer_hold_the_rest_back_until_one_is_answered()
    {
        Due(5);
        Assert.Equal([0, 1, 2], Sent());

        _order.Answered(1);

        Assert.Equal([3], Sent());
        Assert.Equal(3, _order.Unanswered);
    }

    [Fact]
    public void On_a_new_connection_unanswered_messages_are_sent_again_first_and_in_order()
    {
        Due(3);
        Sent();
        _order.Answered(1);
        Due(1);

        _order.StartOver();

        Assert.Equal(0, _order.Unanswered);
        Assert.Equal([0, 2, 3], Sent());
    }

    [Fact]
    public void An_answered_message_is_never_sent_again()
    {
        Due(3);
        Sent();
        _order.Answered(0);
        _order.Answered(1);
        _order.Answered(2);

        _order.StartOver();
        _order.StartOver();

        Assert.Empty(Sent());
        Due(1);
        Assert.Equal([3], Sent());
    }

    [Fact]
    public void A_second_answer_changes_nothing()
    {
        Due(2);
        Sent();
        _order.Answered(0);
        _order.Answered(0);

        Assert.Equal(1, _order.Unanswered);
    }

    [Fact]
    public void Messages_that_become_due_while_offline_wait_behind_those_that_are_sent_again()
    {
        Due(2);
        Sent();
        Due(2);

        _order.StartOver();

        Assert.Equal([0, 1, 2], Sent());
        _order.Answered(0);
        Assert.Equal([3], Sent());
    }

    [Theory]
    [InlineData(250, 64)]
    [InlineData(1_024, 64)]
    [InlineData(1_100, 59)]
    [InlineData(32_768, 2)]
    [InlineData(65_800, 1)]
    [InlineData(1_000_000, 1)]
    public void Messages_under_way_fit_a_sockets_buffer_but_one_is_always_allowed(int bytes, int messages) =>
        Assert.Equal(messages, Publisher.UnansweredOf(bytes, Publisher.DefaultUnanswered));

    private void Due(int count)
    {
        for (var i = 0; i < count; i++)
            _order.BecomesDue();
    }

    private List<int> Sent()
    {
        var sent = new List<int>();
        while (_order.TryNext(out var sequence))
            sent.Add(sequence);
        return sent;
    }
}

public class FullnessTests
{
    [Theory]
    [InlineData(3, new long[] { 1_000, 1_000, 1_000 })]
    [InlineData(6, new long[] { 900, 996, 996, 998, 998, 998 })]
    [InlineData(3, new long[] { 0, 0, 0 })]
    public void Buffers_are_full_after_two_rounds_of_which_nothing_was_taken(int rounds, long[] taken)
    {
        var fullness = new Fullness();

        Assert.Equal(rounds, taken.TakeWhile(each => !fullness.IsReachedAt(each)).Count() + 1);
    }

    [Fact]
    public void Fullness_is_not_reached_as_long_as_some_buffers_have_room()
    {
        var fullness = new Fullness();

        Assert.DoesNotContain(true, Enumerable.Range(1, 100).Select(round => fullness.IsReachedAt(round)));
    }
}
