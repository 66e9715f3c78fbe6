using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class DelaysTests
{
    private readonly FakeTime _time = new();
    private readonly List<string> _due = [];

    [Fact]
    public void Each_message_falls_due_in_its_time_whatever_the_order_they_came_in()
    {
        using var delays = new Delays(_time, message => _due.Add(message.Message.Id));
        delays.Add(Message("late"), TimeSpan.FromSeconds(2));
        delays.Add(Message("early"), TimeSpan.FromSeconds(1));
        _time.Advance(TimeSpan.FromSeconds(0.9));
        Assert.Empty(_due);
        _time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.Equal(["early"], _due);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(["early", "late"], _due);
    }

    [Fact]
    public void One_timer_is_enough_for_all()
    {
        using var delays = new Delays(_time, message => _due.Add(message.Message.Id));
        foreach (var id in new[] { "a", "b", "c" })
            delays.Add(Message(id), TimeSpan.FromSeconds(1));
        Assert.Equal(1, _time.TimersSet);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(3, _due.Count);
    }

    [Fact]
    public void A_nack_waits_100_ms_and_doubles_to_5_s() =>
        Assert.Equal(
            [100, 200, 400, 800, 1600, 3200, 5000, 5000],
            Enumerable.Range(1, 8).Select(deliveries => OfferDelay.AfterGiveBack(deliveries).TotalMilliseconds));

    [Theory]
    [InlineData(0, 20)]
    [InlineData(0.5, 15)]
    [InlineData(1, 10)]
    public void A_detour_takes_10_to_20_whole_seconds(double chance, int seconds) =>
        Assert.Equal(TimeSpan.FromSeconds(seconds), OfferDelay.ForDetour(chance));

    private static InboundMessage Message(string id) => RecordingOwner.LeaseOf(Sample.Message(id)).Messages[0];
}
