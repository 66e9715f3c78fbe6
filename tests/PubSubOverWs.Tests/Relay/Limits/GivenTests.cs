using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class GivenTests
{
    private const int Total = 1_200;

    private readonly GivenTotal _total = new(new MostGiven(Total, Bytes: 1));

    private long Free => _total.Messages.Total - _total.Messages.Taken;

    [Fact]
    public void A_connection_alone_is_given_a_quarter()
    {
        Assert.Equal(Total / 4, Fill(new Given(_total), new GivenShare(_total)));
        Assert.Equal(Total * 3 / 4, Free);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    [InlineData(300)]
    public void However_many_take_what_they_can_at_one_destination_there_is_room_for_another_there_and_elsewhere(int connections)
    {
        var destination = new GivenShare(_total);
        FillInTurn(connections, () => destination);

        Assert.InRange(Fill(new Given(_total), destination), 1, Total / 8);
        Assert.InRange(Fill(new Given(_total), new GivenShare(_total)), Total / 10, Total / 4);
    }

    [Theory]
    [InlineData(20)]
    [InlineData(300)]
    public void Or_at_destinations_of_their_own(int connections)
    {
        FillInTurn(connections, () => new GivenShare(_total));

        Assert.NotEqual(0, Fill(new Given(_total), new GivenShare(_total)));
    }

    [Fact]
    public void However_many_connections_of_one_user_take_what_they_can_other_users_have_half_and_another_of_its_own_has_room()
    {
        var user = new GivenShare(_total);
        FillInTurn(50, () => new GivenShare(_total), user);

        Assert.InRange(_total.Messages.Taken, 1, Total / 2);
        Assert.InRange(Fill(new Given(_total) { User = user }, new GivenShare(_total)), 1, 20);
        Assert.InRange(Fill(new Given(_total) { User = new GivenShare(_total) }, new GivenShare(_total)), Total / 10, Total / 4);
    }

    [Fact]
    public void Who_was_refused_is_told_once_when_its_own_are_settled_and_may_ask_once_for_those_of_others()
    {
        var (given, destination) = (new Given(_total), new GivenShare(_total));
        Assert.True(given.TryAdd(destination, kept: null));
        Assert.False(given.Remove(destination, kept: null) || given.TakeRefused());
        var count = Fill(given, destination);

        Assert.True(given.Remove(destination, kept: null));
        Assert.True(given.TryAdd(destination, kept: null));
        Assert.False(given.Remove(destination, kept: null));
        Assert.True(given.TryAdd(destination, kept: null));
        Assert.False(given.TryAdd(destination, kept: null));
        Assert.True(given.TakeRefused());
        Assert.False(given.TakeRefused());
        Assert.Equal(Total - count, Free);
    }

    [Fact]
    public void What_was_given_and_settled_leaves_nothing_counted()
    {
        var (given, destination) = (new Given(_total) { User = new GivenShare(_total) }, new GivenShare(_total));
        for (var i = Fill(given, destination); i > 0; i--)
            given.Remove(destination, kept: null);
        Assert.Equal((Total, Total, Total), (Free, destination.Messages.Room, given.User!.Messages.Room));
    }

    [Fact]
    public void However_many_have_taken_all_they_can_one_after_the_other_the_next_is_given_something()
    {
        var total = new GivenTotal(new MostGiven(Total, Bytes: 1_000_000));
        for (var i = 0; i < 100; i++)
        {
            var (given, destination) = (new Given(total), new GivenShare(total));
            while (given.TryAdd(destination, new KeptMemory(500)))
            {
            }
        }
        Assert.True(new Given(total).TryAdd(new GivenShare(total), new KeptMemory(500)));
    }

    [Fact]
    public void But_nothing_large_while_others_have_all_the_memory()
    {
        var total = new GivenTotal(new MostGiven(Total, Bytes: 1_000_000));
        Assert.True(new Given(total).TryAdd(new GivenShare(total), new KeptMemory(1_000_000)));
        Assert.False(new Given(total).TryAdd(new GivenShare(total), new KeptMemory(2_000)));
        Assert.True(new Given(total).TryAdd(new GivenShare(total), new KeptMemory(1_900)));
    }

    [Fact]
    public void However_much_memory_a_few_messages_keep_there_is_some_for_another()
    {
        var total = new GivenTotal(new MostGiven(Total, Bytes: 1_000));
        for (var i = 0; i < 5; i++)
        {
            var (given, destination) = (new Given(total), new GivenShare(total));
            while (given.TryAdd(destination, new KeptMemory(10)))
            {
            }
        }
        Assert.True(new Given(total).TryAdd(new GivenShare(total), new KeptMemory(10)));
        Assert.InRange(total.Bytes.Taken, 500, 990);
    }

    [Fact]
    public void Memory_that_several_keep_counts_once_for_one_after_the_other()
    {
        var total = new GivenTotal(new MostGiven(Total, Bytes: 1_000));
        var kept = new KeptMemory(100);
        var (first, second) = ((Given: new Given(total), At: new GivenShare(total)), (Given: new Given(total), At: new GivenShare(total)));
        Assert.True(first.Given.TryAdd(first.At, kept) && first.Given.TryAdd(first.At, kept) && second.Given.TryAdd(second.At, kept));
        Assert.Equal((100, 800, 900), (total.Bytes.Taken, first.At.Bytes.Room, second.At.Bytes.Room));
        first.Given.Remove(first.At, kept);
        Assert.Equal((100, 800, 900), (total.Bytes.Taken, first.At.Bytes.Room, second.At.Bytes.Room));
        first.Given.Remove(first.At, kept);
        Assert.Equal((100, 900, 800), (total.Bytes.Taken, first.At.Bytes.Room, second.At.Bytes.Room));
        second.Given.Withdraw(second.At, kept);
        Assert.Equal((0, 1_000, 1_000), (total.Bytes.Taken, first.At.Bytes.Room, second.At.Bytes.Room));
    }

    [Fact]
    public void Where_no_memory_is_left_more_of_what_counts_already_may_be_given()
    {
        var total = new GivenTotal(new MostGiven(Total, Bytes: 100));
        var (given, destination, kept) = (new Given(total), new GivenShare(total), new KeptMemory(1_000));
        Assert.True(given.TryAdd(destination, kept));
        Assert.False(new Given(total).TryAdd(new GivenShare(total), new KeptMemory(1)));
        Assert.True(new Given(total).TryAdd(new GivenShare(total), kept));
    }

    private static int Fill(Given given, GivenShare destination)
    {
        var count = 0;
        while (given.TryAdd(destination, kept: null))
            count++;
        return count;
    }

    // As they would be served, one message each in turn.
    private void FillInTurn(int connections, Func<GivenShare> destination, GivenShare? user = null)
    {
        var hogs = Enumerable.Range(0, connections).Select(_ => (Given: new Given(_total) { User = user }, Destination: destination())).ToArray();
        bool[] taken;
        do
            taken = [.. hogs.Select(hog => hog.Given.TryAdd(hog.Destination, kept: null))];
        while (taken.Contains(true));
    }
}
