using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.Record.Accounting;

public sealed class LossForecastTests
{
    private const int User = 3;

    [Theory]
    [InlineData(0.99, false)]
    [InlineData(1.00, true)]
    [InlineData(1.49, true)]
    [InlineData(1.50, false)]
    public void A_message_is_lost_if_its_subscriber_is_away_when_it_is_published(double due, bool lost) =>
        Assert.Equal(lost, new LossForecast([Away(isSubscriber: true, 1, 1.5)]).IsLost(Due(due)));

    [Theory]
    [InlineData(1.8, true)]
    [InlineData(2.2, false)]
    public void A_message_that_an_offline_publisher_could_not_send_counts_from_its_return(double back, bool lost) => Assert.Equal(
        lost, new LossForecast([Away(isSubscriber: false, 1, back), Away(isSubscriber: true, 1, 2)]).IsLost(Due(1.2)));

    [Fact]
    public void A_publisher_that_is_back_after_its_subscriber_loses_nothing() =>
        Assert.Equal(0, Lost([Away(isSubscriber: false, 1, 2), Away(isSubscriber: true, 1, 1.9)], [Due(0.9), Due(1.0), Due(1.95), Due(2)]));

    [Theory]
    [InlineData(1.4, true)]
    [InlineData(1.6, false)]
    public void A_message_that_is_sent_after_the_SUBSCRIBE_comes_after_it_though_the_answer_takes_longer(
        double due, bool lost) => Assert.Equal(
        lost, new LossForecast([Away(isSubscriber: true, 1, 1.5) with { Until = TimeSpan.FromSeconds(2) }]).IsLost(Due(due)));

    [Fact]
    public void A_client_that_does_not_come_back_gets_nothing_more_and_sends_nothing_more()
    {
        Assert.Equal(2, Lost([Away(isSubscriber: true, 1, null)], [Due(0.5), Due(1), Due(100)]));
        Assert.Equal(2, Lost([Away(isSubscriber: false, 1, null)], [Due(0.5), Due(1), Due(100)]));
    }

    [Fact]
    public void Windows_of_others_do_not_matter() =>
        Assert.False(
            new LossForecast(
                [new OfflineWindow(true, User + 1, TimeSpan.Zero, null, null),
                    new OfflineWindow(false, User - 1, TimeSpan.Zero, null, null)]).IsLost(Due(1)));

    [Fact]
    public void Evenly_sent_messages_of_a_churned_subscriber_are_lost_as_the_closed_form_says()
    {
        var (every, away) = (TimeSpan.FromSeconds(1), TimeSpan.FromMilliseconds(250));
        var windows = Enumerable.Range(0, 40).Select(i => Away(isSubscriber: true, 1 + (1.25 * i), 1.25 + (1.25 * i)));
        var lost = Lost(windows, Enumerable.Range(0, 5_000).Select(i => Due(i * 0.01)));
        Assert.Equal(LossForecast.OfChurn(every, away), lost / 5_000.0, 3);
        Assert.Equal(0.2, LossForecast.OfChurn(every, away), 12);
    }

    private static int Lost(IEnumerable<OfflineWindow> windows, IEnumerable<Attempt> attempts) =>
        attempts.Count(new LossForecast(windows).IsLost);

    private static OfflineWindow Away(bool isSubscriber, double from, double? connected)
    {
        TimeSpan? end = connected is { } seconds ? TimeSpan.FromSeconds(seconds) : null;
        return new(isSubscriber, User, TimeSpan.FromSeconds(from), end, end);
    }

    private static Attempt Due(double seconds) => Some.Attempt(User) with { Due = TimeSpan.FromSeconds(seconds) };
}
