using PubSubOverWs.LoadTest.Experiments.Transports;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Transports;

public sealed class TransportModelTests
{
    private static readonly TransportModel Model = new(Period: 250, Pause: 150);

    private const double Period = 250;

    [Fact]
    public void The_published_model_has_half_as_much_again_for_long_polling_far_away_and_the_corrected_one_twice_as_much() =>
        Assert.Equal(
            [(40, 40), (124, 124), (187.5, 250), (225, 300)],
            new[] { 40.0, 124, 125, 150 }.Select(nu => (Model.PublishedLongPolling(nu), Model.LongPolling(nu))));

    [Fact]
    public void Polling_takes_two_ways_and_half_the_pause() => Assert.Equal(155, Model.Polling(40));

    // The mean over phases of what a client with constant delays receives, message by message. At 110 ms and more each way its cycle is
    // commensurate with the period now and then, which the phases average out.
    [Theory]
    [InlineData(1)]
    [InlineData(80)]
    [InlineData(110)]
    [InlineData(140)]
    [InlineData(163)]
    [InlineData(301)]
    public void A_simulation_over_phases_agrees_with_the_corrected_model_and_not_with_the_published_one(int nu)
    {
        Assert.InRange(OverPhases(nu, wait: 300, pause: 0), 0.97 * Model.LongPolling(nu), 1.03 * Model.LongPolling(nu));
        Assert.InRange(OverPhases(nu, wait: 0, pause: 150), 0.97 * Model.Polling(nu), 1.03 * Model.Polling(nu));
        Assert.Equal(nu > 125, OverPhases(nu, wait: 300, pause: 0) > 1.1 * Model.PublishedLongPolling(nu));
    }

    [Fact]
    public void Nothing_is_said_close_to_where_polls_keep_their_phase()
    {
        Assert.Equal([115, 135], Clear(TransportArms.LongPolling, 110, 140));
        Assert.Equal([40, 60], Clear(TransportArms.Polling, 35, 65));
        Assert.Equal(Enumerable.Range(1, 400), Enumerable.Range(1, 400).Where(nu => Model.IsClear(TransportArms.WebSocket, nu)));
    }

    [Theory]
    [InlineData("Nagaoka 1", 1.7, 2.0, 2.4, 2.75)]
    [InlineData("Nagaoka 3", 1.7, 2.0, 2.4, 2.75)]
    [InlineData("Caracas 1", 1.5, 1.7, 2.5, 2.75)]
    [InlineData("Lund 2", 0.99, 1.01, 2.7, 2.9)]
    public void Drawn_delays_give_other_ratios_than_were_published_far_away(
        string test, double longLow, double longHigh, double low, double high)
    {
        var scenario = new TransportsScenario { Name = "x", Tests = [test] };

        Assert.InRange(ExpectedRatios.Compute(scenario, TransportArms.LongPolling, scenario.Levels[0])!.Value, longLow, longHigh);
        Assert.InRange(ExpectedRatios.Compute(scenario, TransportArms.Polling, scenario.Levels[0])!.Value, low, high);
        Assert.Equal(1, ExpectedRatios.Compute(scenario, TransportArms.WebSocket, scenario.Levels[0]));
    }

    [Theory]
    [InlineData(40.3, 7.6)]
    [InlineData(122.9, 48.2)]
    [InlineData(153.4, 133.3)]
    [InlineData(156.2, 176.0)]
    public void Drawn_delays_deliver_the_published_mean_and_deviation(double mean, double deviation)
    {
        var drawn = InOrderDelays.ToDeliver(mean, deviation, Period);
        var delivered = Delivered(LogNormal.From(drawn.Mean, drawn.Deviation));

        Assert.InRange(delivered.Mean, 0.985 * mean, 1.015 * mean);
        Assert.InRange(delivered.StandardDeviation, 0.93 * deviation, 1.07 * deviation);
    }

    [Fact]
    public void Much_less_must_be_drawn_where_deviations_are_large_and_the_same_where_they_are_small()
    {
        Assert.InRange(InOrderDelays.ToDeliver(156.2, 176.0, Period).Mean, 130, 145);
        Assert.Equal((75.1, 0.42), InOrderDelays.ToDeliver(75.1, 0.42, Period));
    }

    [Fact]
    public void Constant_delays_hold_up_nothing()
    {
        var (mean, deviation) = InOrderDelays.Delivered(LogNormal.From(100, 0), Period, longest: 4000);

        Assert.InRange(mean, 99, 101);
        Assert.InRange(deviation, 0, 2);
    }

    // The ends of a run of values of which nothing is said.
    private static IEnumerable<int> Clear(string arm, int from, int to) => Enumerable.Range(from, to - from + 1)
        .Where(nu => Model.IsClear(arm, nu) && (!Model.IsClear(arm, nu + 1) || !Model.IsClear(arm, nu - 1)));

    private static double OverPhases(double nu, double wait, double pause) =>
        Enumerable.Range(0, 100).Average(phase => Constant(nu, wait, pause, phase * 2.5));

    private static double Constant(double nu, double wait, double pause, double first)
    {
        var (polls, next, sum) = (first, 1, 0.0);
        while (next <= 200)
        {
            var answered = Math.Max(polls + nu, Math.Min(polls + nu + wait, next * 250));
            for (; next <= 200 && next * 250 <= answered; next++)
                sum += answered + nu - (next * 250);
            polls = answered + nu + pause;
        }

        return sum / 200;
    }

    // Message by message.
    private static Moments Delivered(LogNormal drawn)
    {
        var (random, last, delays) = (new Random(3), 0.0, new List<double>());
        for (var i = 0; i < 2_000_000; i++)
            delays.Add(last = Math.Max(drawn.Draw(random), last - Period));
        return Moments.Compute(delays);
    }
}
