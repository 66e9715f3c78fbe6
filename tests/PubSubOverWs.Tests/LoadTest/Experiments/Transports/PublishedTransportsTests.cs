using PubSubOverWs.LoadTest.Experiments.Transports;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Transports;

/// <summary>The published table, recomputed from its printed means and deviations.</summary>
public sealed class PublishedTransportsTests
{
    private static readonly PublishedTransports Published = PublishedTransports.Load();

    [Fact]
    public void Three_tests_at_each_of_four_sites_have_three_transports_each()
    {
        Assert.Equal(
            ["Edmonton", "Edmonton", "Edmonton", "Caracas", "Caracas", "Caracas", "Lund", "Lund", "Lund", "Nagaoka", "Nagaoka", "Nagaoka"],
            Published.Tests.Select(test => test.Site));
        Assert.Equal((1200, 0.99, 22), (Published.Samples, Published.Confidence, Published.Bytes));
        Assert.Equal(
            (250, 300, 150),
            (Published.Period.TotalMilliseconds, Published.LongPollingWait.TotalMilliseconds, Published.PollingPause.TotalMilliseconds));
        Assert.Equal((75.1, 0.42, 77.6), (Of("Lund 3").WebSocket.Mean, Of("Lund 3").WebSocket.Sd, Of("Lund 3").LongPolling.Mean));
    }

    // The paper counts otherwise.
    [Fact]
    public void WebSocket_is_faster_than_long_polling_in_ten_tests_slower_in_one_and_one_is_undecided()
    {
        var orders = Published.Tests.ToLookup(test => Order(test.WebSocket, test.LongPolling), test => test.Name);

        Assert.Equal(["Lund 1"], orders[PublishedOrder.Faster]);
        Assert.Equal(["Caracas 2"], orders[PublishedOrder.Undecided]);
        Assert.Equal(10, orders[PublishedOrder.Slower].Count());
    }

    [Fact]
    public void Polling_is_slower_than_both_except_at_Nagaoka_where_long_polling_is_slower_once()
    {
        Assert.All(Published.Tests, test => Assert.Equal(PublishedOrder.Slower, Order(test.WebSocket, test.Polling)));
        Assert.Equal(["Nagaoka 1"], Published.Tests
            .Where(test => Order(test.LongPolling, test.Polling) == PublishedOrder.Faster).Select(test => test.Name));
        Assert.Equal([0.90, 1.19, 1.12], Published.Tests.Where(test => test.Site == "Nagaoka")
            .Select(test => Math.Round(test.Polling.Mean / test.LongPolling.Mean, 2)));
    }

    // Printed are 3.77 and 3.72.
    [Fact]
    public void Two_ratios_at_Edmonton_are_3_78_and_3_71() => Assert.Equal(
        [3.78, 3.71],
        new[] { Of("Edmonton 2"), Of("Edmonton 3") }.Select(test => Math.Round(test.Polling.Mean / test.WebSocket.Mean, 2)));

    [Fact]
    public void A_cycle_of_polls_is_longer_than_the_period_at_Lund() => Assert.Equal(
        (300, 341),
        (Math.Round(Published.Tests.Where(test => test.Site == "Lund").Min(Cycle)),
            Math.Round(Published.Tests.Where(test => test.Site == "Lund").Max(Cycle))));

    [Fact]
    public void Equal_constants_are_undecided_and_a_difference_of_constants_is_not()
    {
        var constant = new PublishedTransport("", 40, 0);

        Assert.Equal(PublishedOrder.Undecided, Order(constant, constant));
        Assert.Equal(PublishedOrder.Slower, Order(constant, constant with { Mean = 41 }));
        Assert.Equal(PublishedOrder.Faster, Order(constant, constant with { Mean = 39 }));
    }

    private static double Cycle(PublishedTest test) => (2 * test.WebSocket.Mean) + Published.PollingPause.TotalMilliseconds;

    private static PublishedTest Of(string name) => Published.Tests.Single(test => test.Name == name);

    private static PublishedOrder Order(PublishedTransport reference, PublishedTransport other) => PublishedTestOfMessages.Decide(
        reference.Moments(Published.Samples), other.Moments(Published.Samples), Published.Confidence);
}
