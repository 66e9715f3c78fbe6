using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class UnsettledReservationTests
{
    private const int Total = 1_200;

    private readonly UnsettledBudget _total = new(Total, bytes: 1);

    private long Free => _total.Messages.Free;

    [Fact]
    public void A_connection_alone_is_given_a_quarter()
    {
        Assert.Equal(Total / 4, Fill(new UnsettledReservation(_total), new SharedReservation(_total)));
        Assert.Equal(Total * 3 / 4, Free);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    [InlineData(300)]
    public void There_is_room_for_another_consumer_there_and_elsewhere_when_others_hold_all_they_can_at_one_destination(int connections)
    {
        var destination = new SharedReservation(_total);
        FillInTurn(connections, () => destination);

        Assert.InRange(Fill(new UnsettledReservation(_total), destination), 1, Total / 8);
        Assert.InRange(Fill(new UnsettledReservation(_total), new SharedReservation(_total)), Total / 10, Total / 4);
    }

    [Theory]
    [InlineData(20)]
    [InlineData(300)]
    public void There_is_room_for_another_consumer_when_others_hold_all_they_can_at_destinations_of_their_own(int connections)
    {
        FillInTurn(connections, () => new SharedReservation(_total));

        Assert.NotEqual(0, Fill(new UnsettledReservation(_total), new SharedReservation(_total)));
    }

    [Fact]
    public void When_connections_of_one_user_hold_all_they_can_other_users_have_half_and_its_next_one_has_room()
    {
        var user = new SharedReservation(_total);
        FillInTurn(50, () => new SharedReservation(_total), user);

        Assert.InRange(_total.Messages.Taken, 1, Total / 2);
        Assert.InRange(Fill(Of(user), new SharedReservation(_total)), 1, 20);
        Assert.InRange(Fill(Of(new SharedReservation(_total)), new SharedReservation(_total)), Total / 10, Total / 4);
    }

    [Fact]
    public void A_connection_that_was_refused_is_told_once_when_its_own_are_settled_and_may_ask_once_for_those_of_others()
    {
        var (given, destination) = (new UnsettledReservation(_total), new SharedReservation(_total));
        Assert.True(given.TryAdd(destination, bytes: 0));
        Assert.False(given.Remove(destination, bytes: 0) || given.ConsumeRefusal());
        var count = Fill(given, destination);

        Assert.True(given.Remove(destination, bytes: 0));
        Assert.True(given.TryAdd(destination, bytes: 0));
        Assert.False(given.Remove(destination, bytes: 0));
        Assert.True(given.TryAdd(destination, bytes: 0));
        Assert.False(given.TryAdd(destination, bytes: 0));
        Assert.True(given.ConsumeRefusal());
        Assert.False(given.ConsumeRefusal());
        Assert.Equal(Total - count, Free);
    }

    [Fact]
    public void Messages_that_were_given_and_settled_leave_nothing_counted()
    {
        var (given, destination) = (Of(new SharedReservation(_total)), new SharedReservation(_total));
        for (var i = Fill(given, destination); i > 0; i--)
            given.Remove(destination, bytes: 0);
        Assert.Equal((Total, Total, Total), (Free, destination.Messages.Room, given.User!.Messages.Room));
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void A_new_connection_gets_a_message_after_others_have_in_turn_taken_all_they_can_even_at_its_destination_or_as_its_user(
        bool isDestination, bool isUser)
    {
        var total = new UnsettledBudget(Total, bytes: 1_000_000);
        var shared = new SharedReservation(total);
        UnsettledReservation Next() => new(total) { User = isUser ? shared : null };
        SharedReservation At() => isDestination ? shared : new SharedReservation(total);
        for (var i = 0; i < 400; i++)
        {
            var (given, destination) = (Next(), At());
            while (given.TryAdd(destination, 500))
            {
            }
        }
        Assert.True(Next().TryAdd(At(), 500));
        Assert.InRange(total.Messages.Taken, Total / 2, Total * 3 / 2);
    }

    [Fact]
    public void A_new_connection_gets_a_large_message_until_the_reserve_is_used_up()
    {
        var total = new UnsettledBudget(Total, bytes: 1_000_000);
        Assert.True(new UnsettledReservation(total).TryAdd(new SharedReservation(total), 1_000_000));
        Assert.True(new UnsettledReservation(total).TryAdd(new SharedReservation(total), 400_000));
        Assert.True(new UnsettledReservation(total).TryAdd(new SharedReservation(total), 100_000));
        Assert.False(new UnsettledReservation(total).TryAdd(new SharedReservation(total), 1));
    }

    [Fact]
    public void Memory_counts_for_the_connection_its_user_and_the_destination()
    {
        var total = new UnsettledBudget(Total, bytes: 1_000);
        var (user, destination) = (new SharedReservation(total), new SharedReservation(total));
        var given = new UnsettledReservation(total) { User = user };
        Assert.True(given.TryAdd(destination, 100));
        Assert.Equal((100, 800, 800), (total.Bytes.Taken, destination.Bytes.Room, user.Bytes.Room));
        given.Withdraw(destination, 100);
        Assert.Equal((0, 1_000, 1_000), (total.Bytes.Taken, destination.Bytes.Room, user.Bytes.Room));
    }

    private UnsettledReservation Of(SharedReservation? user) => new(_total) { User = user };

    private static int Fill(UnsettledReservation given, SharedReservation destination)
    {
        var count = 0;
        while (given.TryAdd(destination, bytes: 0))
            count++;
        return count;
    }

    // As they would be served, one message each in turn.
    private void FillInTurn(int connections, Func<SharedReservation> destination, SharedReservation? user = null)
    {
        var hogs = Enumerable.Range(0, connections).Select(_ => (Given: Of(user), Destination: destination())).ToArray();
        bool[] taken;
        do
            taken = [.. hogs.Select(hog => hog.Given.TryAdd(hog.Destination, bytes: 0))];
        while (taken.Contains(true));
    }
}
