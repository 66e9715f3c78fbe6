using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class GivenTests
{
    private const int Total = 1_200;

    private readonly FairShare _total = new(Total);

    private long Free => _total.Total - _total.Taken;

    [Fact]
    public void A_connection_alone_is_given_a_quarter()
    {
        Assert.Equal(Total / 4, Fill(new Given(_total), new Share(_total)));
        Assert.Equal(Total * 3 / 4, Free);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    [InlineData(300)]
    public void However_many_take_what_they_can_at_one_destination_there_is_room_for_another_there_and_elsewhere(int connections)
    {
        var destination = new Share(_total);
        FillInTurn(connections, () => destination);

        Assert.InRange(Fill(new Given(_total), destination), 1, Total / 8);
        Assert.InRange(Fill(new Given(_total), new Share(_total)), Total / 10, Total / 4);
    }

    [Theory]
    [InlineData(20)]
    [InlineData(300)]
    public void Or_at_destinations_of_their_own(int connections)
    {
        FillInTurn(connections, () => new Share(_total));

        Assert.NotEqual(0, Fill(new Given(_total), new Share(_total)));
    }

    [Fact]
    public void However_many_connections_of_one_user_take_what_they_can_other_users_have_half_and_another_of_its_own_has_room()
    {
        var user = new Share(_total);
        FillInTurn(50, () => new Share(_total), user);

        Assert.InRange(_total.Taken, 1, Total / 2);
        Assert.InRange(Fill(new Given(_total) { User = user }, new Share(_total)), 1, 20);
        Assert.InRange(Fill(new Given(_total) { User = new Share(_total) }, new Share(_total)), Total / 10, Total / 4);
    }

    [Fact]
    public void Who_was_refused_is_told_once_when_its_own_are_settled_and_may_ask_once_for_those_of_others()
    {
        var (given, destination) = (new Given(_total), new Share(_total));
        Assert.True(given.TryAdd(destination));
        Assert.False(given.Remove(destination) || given.TakeRefused());
        var count = Fill(given, destination);

        Assert.True(given.Remove(destination));
        Assert.True(given.TryAdd(destination));
        Assert.False(given.Remove(destination));
        Assert.True(given.TryAdd(destination));
        Assert.False(given.TryAdd(destination));
        Assert.True(given.TakeRefused());
        Assert.False(given.TakeRefused());
        Assert.Equal(Total - count, Free);
    }

    [Fact]
    public void What_was_given_and_settled_leaves_nothing_counted()
    {
        var (given, destination) = (new Given(_total) { User = new Share(_total) }, new Share(_total));
        for (var i = Fill(given, destination); i > 0; i--)
            given.Remove(destination);
        Assert.Equal((Total, Total, Total), (Free, destination.Room, given.User!.Room));
    }

    private static int Fill(Given given, Share destination)
    {
        var count = 0;
        while (given.TryAdd(destination))
            count++;
        return count;
    }

    // As they would be served, one message each in turn.
    private void FillInTurn(int connections, Func<Share> destination, Share? user = null)
    {
        var hogs = Enumerable.Range(0, connections).Select(_ => (Given: new Given(_total) { User = user }, Destination: destination())).ToArray();
        bool[] taken;
        do
            taken = [.. hogs.Select(hog => hog.Given.TryAdd(hog.Destination))];
        while (taken.Contains(true));
    }
}
