using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;

namespace PubSubOverWs.Tests.Record.Files;

public sealed class FaultRowTests
{
    private static readonly IterationRow Row = Some.Row(Relays.Direct, 10, 2, 7);

    [Fact]
    public void A_row_sums_the_windows_of_its_iteration()
    {
        OfflineWindow[] windows = [Away(true, 0, 1, 1.2), Away(true, 1, 1, 1.6), Away(true, 2, 5, null), Away(false, 0, 2, 2.1)];
        var row = FaultRow.Of(Row, actions: 2, [Due(0, 1.1), Due(2, 6), Due(2, 4)], windows, republished: 5);

        Assert.Equal((Relays.Direct, 10, 2, 7), (row.Arm, row.Users, row.Block, row.Iteration));
        Assert.Equal(
            (2, 3, 1, 1, 2L, 5L),
            (row.FaultActions, row.SubscriberWindows, row.PublisherWindows, row.NeverBack, row.PredictedLost, row.Republished));
        Assert.Equal(TimeSpan.FromSeconds(0.4), row.SubscriberAwayMean);
        Assert.Equal(TimeSpan.FromSeconds(0.6), row.SubscriberAwayMax);
        Assert.Equal(TimeSpan.FromSeconds(0.1), row.PublisherAwayMean);
    }

    [Fact]
    public void A_late_send_is_due_to_the_fault_if_its_publisher_was_offline_when_it_was_due()
    {
        Attempt[] attempts = [Late(0, 1.9), Late(0, 2.0), Late(1, 2.0), Due(0, 2.05)];
        Assert.Equal(1, FaultRow.Of(Row, 0, attempts, [Away(false, 0, 2, 2.1), Away(true, 1, 1, 3)], 0).LateWhileAway);

        // Long after its publisher came back it is the load that is late.
        Assert.Equal(
            0, FaultRow.Of(Row, 0, [Due(0, 2) with { Sent = TimeSpan.FromSeconds(2.121) }], [Away(false, 0, 2, 2.1)], 0).LateWhileAway);

        static Attempt Late(int user, double due) => Due(user, due) with { Sent = TimeSpan.FromSeconds(due + 0.021) };
    }

    [Fact]
    public void Offline_times_are_missing_and_not_0_if_no_client_was_offline()
    {
        var row = FaultRow.Of(Row, 0, [Due(0, 1)], [], 0);
        Assert.Null(row.SubscriberAwayMean);
        Assert.Null(row.SubscriberAwayMax);
        Assert.Null(row.PublisherAwayMean);
    }

    private static OfflineWindow Away(bool isSubscriber, int user, double from, double? until)
    {
        TimeSpan? end = until is { } seconds ? TimeSpan.FromSeconds(seconds) : null;
        return new(isSubscriber, user, TimeSpan.FromSeconds(from), end, end);
    }

    private static Attempt Due(int user, double seconds) =>
        Some.Attempt(user) with { Due = TimeSpan.FromSeconds(seconds), Sent = TimeSpan.FromSeconds(seconds) };
}
