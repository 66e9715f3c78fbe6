using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class ParkedDestinationsTests
{
    private const string A = "/queue/a";

    private static readonly TimeSpan Visibility = TimeSpan.FromSeconds(30);

    private readonly FakeTime _time = new();
    private readonly ParkedDestinations _parked;

    public ParkedDestinationsTests() => _parked = new ParkedDestinations(_time, Visibility);

    [Fact]
    public async Task After_a_start_the_first_consumer_causes_a_scan_and_a_second_when_nothing_can_be_hidden_any_more()
    {
        var first = BeginAsync();
        Assert.False(first.IsCompleted);
        _parked.RoomAt(A, isWanted: true);
        await first;
        Assert.False(_parked.IsRoundOver);
        _parked.EndRound(wasWholeQueue: true);

        var second = BeginAsync();
        _time.Advance(Visibility - TimeSpan.FromMilliseconds(1));
        Assert.False(second.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        await second;
        _parked.EndRound(wasWholeQueue: true);

        _parked.RoomAt(A, isWanted: true);
        _time.Advance(TimeSpan.FromDays(1));
        Assert.False(IsWorthARound());
    }

    [Theory]
    [InlineData("/topic/a")]
    [InlineData("/raw/n.1")]
    public void Subscribers_of_topics_and_raw_clients_cause_no_scan(string destination)
    {
        _parked.RoomAt(destination, isWanted: true);
        Assert.False(IsWorthARound());
    }

    [Fact]
    public async Task Room_that_came_while_a_message_was_on_its_way_to_be_parked_is_not_overlooked()
    {
        await BeSureAsync();
        var rooms = _parked.RoomsAt(A);
        // It was refused for want of room, and is not parked yet.
        _parked.RoomAt(A, isWanted: true);
        _parked.Parking(A, rooms);
        Assert.True(IsWorthARound());
    }

    [Fact]
    public async Task A_round_does_not_go_on_for_a_destination_without_room_and_was_not_worth_its_calls()
    {
        await BeSureAsync();
        Park(A, 5);
        _parked.RoomAt(A, isWanted: true);
        await BeginAsync();
        _parked.Received(A);
        _parked.FoundNoRoom(A);
        Park(A, 1);
        Assert.True(_parked.IsRoundOver);
        Assert.False(_parked.EndRound(wasWholeQueue: false));
        Assert.False(IsWorthARound());
    }

    [Fact]
    public async Task Messages_that_are_still_on_their_way_when_a_round_ends_are_looked_for_again()
    {
        await BeSureAsync();
        _parked.Parking(A, _parked.RoomsAt(A));
        _parked.RoomAt(A, isWanted: true);
        await BeginAsync();
        _parked.EndRound(wasWholeQueue: true);
        Assert.True(IsWorthARound());
        _parked.Parked(A, isThere: true);
        _parked.Received(A);
        Assert.True(_parked.IsRoundOver);
    }

    [Fact]
    public async Task Messages_that_another_server_took_are_not_looked_for_forever()
    {
        await BeSureAsync();
        Park(A, 3);
        _parked.RoomAt(A, isWanted: true);
        await BeginAsync();
        _parked.EndRound(wasWholeQueue: true);
        // It may have been hidden, for it was parked just now.
        Assert.True(IsWorthARound());
        _time.Advance(3 * ParkedDestinations.HiddenAgain);
        _parked.EndRound(wasWholeQueue: true);
        await BeginAsync();
        _parked.EndRound(wasWholeQueue: true);
        Assert.False(IsWorthARound());
    }

    [Fact]
    public async Task More_destinations_than_are_counted_are_scanned_for_at_most_once_in_5_minutes()
    {
        await BeSureAsync();
        var long1 = new string('x', 8_000);
        for (var i = 0; i < 2_000; i++)
            Park($"/queue/{i}-{long1}", 1);
        // One that is not counted: 16 MiB are less than 2,000 such names.
        var uncounted = $"/queue/1999-{long1}";
        var second = TimeSpan.FromSeconds(1);
        _time.Advance(second);
        var round = BeginAsync();
        _parked.RoomAt(uncounted, isWanted: true);
        // The signal goes on in another thread, which sets a timer for the scan, due a second before the one for the comparison.
        await Waiting.UntilAsync(() => _time.UntilNextTimer == ParkedDestinations.BetweenScans - second);
        Assert.False(round.IsCompleted);
        _time.Advance(ParkedDestinations.BetweenScans - second);
        await round;
        Park(uncounted, 1);
        _parked.EndRound(wasWholeQueue: true);
        _parked.RoomAt(uncounted, isWanted: true);
        var next = BeginAsync();
        _time.Advance(ParkedDestinations.BetweenScans - second);
        Assert.False(next.IsCompleted);
        _time.Advance(second);
        await next;
    }

    private async Task BeSureAsync()
    {
        _time.Advance(Visibility);
        _parked.RoomAt("/queue/first", isWanted: true);
        await BeginAsync();
        _parked.EndRound(wasWholeQueue: true);
        Assert.False(IsWorthARound());
    }

    // Begun without a synchronization context, so that what awaits inside goes on where it is completed.
    private Task<bool> BeginAsync() => FakeTime.Start(async () =>
    {
        do
            await _parked.DueAsync(CancellationToken.None);
        while (!_parked.TryBeginRound(_parked.Counted, _parked.Counted));
        return true;
    });

    /// <summary>A round begins now, if it is.</summary>
    private bool IsWorthARound() => _parked.TryBeginRound(_parked.Counted, _parked.Counted);

    private void Park(string destination, int count)
    {
        for (var i = 0; i < count; i++)
        {
            _parked.Parking(destination, _parked.RoomsAt(destination));
            _parked.Parked(destination, isThere: true);
        }
    }
}
