using PubSubOverWs.LoadTest.Experiments.RequestReply;
using PubSubOverWs.LoadTest.Experiments.RequestReply.Load;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.RequestReply.Load;

public sealed class RequestReplyPlanTests
{
    private static readonly RequestReplyPlan Plan = new(
        "t-1", Users: 10, Providers: 4, Rate: 8, Requests: 40_000, Settling: 0, RequestBytes: 32, ReplyBytes: 256, TimeSpan.FromSeconds(1),
        Seed: 5);

    [Fact]
    public void Users_and_providers_are_drawn_evenly_and_independently()
    {
        var drawn = Enumerable.Range(0, Plan.Requests).CountBy(request => (Plan.UserOf(request), Plan.ProviderOf(request))).ToArray();

        Assert.Equal(40, drawn.Length);
        // 1,000 each, with a deviation of 31.
        Assert.All(drawn, pair => Assert.InRange(pair.Value, 850, 1_150));
    }

    [Fact]
    public void The_seed_decides_who_asks_whom() => Assert.NotEqual(
        Enumerable.Range(0, 50).Select(Plan.UserOf), Enumerable.Range(0, 50).Select((Plan with { Seed = 6 }).UserOf));

    [Fact]
    public void A_number_of_the_generator_can_be_had_without_those_before_it()
    {
        var numbers = new SplitMix64(1234567);

        Assert.All(Enumerable.Range(0, 5), place => Assert.Equal(numbers.Next(), SplitMix64.At(1234567, (ulong)place)));
    }

    [Fact]
    public void As_many_may_be_unanswered_as_are_due_within_the_deadline_and_more_while_a_server_settles()
    {
        var plan = Plan with { Settling = 10 };

        Assert.Equal((8, 50_000), (plan.MaxUnansweredAt(10, LoadShare.Whole), plan.MaxUnansweredAt(9, LoadShare.Whole)));
        Assert.Equal(1, (plan with { Deadline = TimeSpan.FromMilliseconds(1) }).MaxUnansweredAt(10, LoadShare.Whole));
    }

    [Fact]
    public void The_rate_rises_over_half_of_the_time_that_does_not_count_and_stays_where_it_is()
    {
        // 12 s: a rise of 6 s, with half as many requests as 6 s at 8 a second.
        var plan = Plan with { Settling = 72 };

        int[] requests = [0, 6, 24, 48, 72, 80];

        Assert.Equal([0, 3, 6, 9, 12, 13], requests.Select(request => Math.Round(plan.DueAt(request).TotalSeconds, 6)));
    }

    [Fact]
    public void Requests_are_due_at_the_rate_and_topics_have_one_length()
    {
        Assert.Equal([0, 125, 250], Enumerable.Range(0, 3).Select(request => Plan.DueAt(request).TotalMilliseconds));
        Assert.Equal("/topic/t-1-p0003", Plan.ProviderTopic(3));
        Assert.Equal("/topic/t-1-u000009", Plan.UserTopic(9));
    }

    [Fact]
    public void Rates_per_user_and_per_busy_core_follow_from_the_published_figures()
    {
        var published = PublishedRequestReply.Load();

        Assert.Equal(0.24, published.RequestsPerUser, 1e-9);
        // 240,000 / (16 x 0.70)
        Assert.Equal(21_428.57, published.LeastPerCoreSecond, 0.01);
        Assert.Equal((11.82, 130.0), (published.LatencyMs.Mean, published.LatencyMs.P99));
    }
}
