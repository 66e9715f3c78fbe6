using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Predictions;

public sealed class ExpectationTests
{
    private const ExpectationWord Yes = ExpectationWord.AsPredicted;
    private const ExpectationWord No = ExpectationWord.NotAsPredicted;
    private const ExpectationWord Untestable = ExpectationWord.NotTestable;
    private const ExpectationWord TooSmall = ExpectationWord.NotJudged;

    [Theory]
    [InlineData(75, Yes)]
    [InlineData(125, Yes)]
    [InlineData(74, No)]
    [InlineData(126, No)]
    public void A_loss_agrees_with_its_forecast_within_a_quarter(int lost, ExpectationWord word) =>
        Assert.Equal(word, Judge(ExpectedLoss.AsForecast(Relays.Direct), Arm(Relays.Direct, [lost], predicted: 100)));

    [Fact]
    public void Without_a_forecast_or_offline_windows_nothing_can_be_tested()
    {
        Assert.Equal(Untestable, Judge(ExpectedLoss.AsForecast(Relays.Direct), Arm(Relays.Direct, [0], predicted: 0)));
        Assert.Equal(Untestable, Judge(ExpectedLoss.AsForecast(Relays.Direct), Arm(Relays.Direct, [5]) with { Faults = [] }));
    }

    [Fact]
    public void No_acknowledged_message_is_lost_only_after_a_proven_drain()
    {
        var expected = ExpectedGuarantee.Kept(Relays.PubSub);
        Assert.Equal(Yes, Judge(expected, Arm(Relays.PubSub, [0, 0])));
        Assert.Equal(Yes, Judge(expected, Arm(Relays.PubSub, [7, 0])));
        Assert.Equal(No, Judge(expected, Arm(Relays.PubSub, [0, 0], row => row with { Buckets = LosingAcknowledged(row.Buckets) })));
        Assert.Equal(Untestable, Judge(expected, Arm(Relays.PubSub, [0, 0], row => row with { DrainState = DrainState.NotProven })));
        Assert.Equal(
            Untestable, Judge(expected, Arm(Relays.PubSub, [0, 0], row => row with { Buckets = row.Buckets with { Acknowledged = 0 } })));
        Assert.Equal(
            Untestable,
            Judge(expected,
                Arm(Relays.PubSub, [0, 0],
                    row => row with { DrainState = DrainState.NotProven, Buckets = LosingAcknowledged(row.Buckets) })));
        // What was lost before a proven drain is lost, whatever another iteration could not show.
        Assert.Equal(
            No,
            Judge(expected,
                Arm(Relays.PubSub, [0, 0],
                    row =>
                        row.Iteration == 1
                            ? row with { Buckets = LosingAcknowledged(row.Buckets) }
                            : row with { DrainState = DrainState.NotProven })));
    }

    [Fact]
    public void One_lost_acknowledged_message_is_enough_where_losing_some_is_expected()
    {
        Assert.Equal(
            Yes,
            Judge(ExpectedGuarantee.Broken(Relays.PubSub),
                Arm(Relays.PubSub, [0, 0], row => row with { Buckets = LosingAcknowledged(row.Buckets) })));
        Assert.Equal(No, Judge(ExpectedGuarantee.Broken(Relays.PubSub), Arm(Relays.PubSub, [3, 3])));
        Assert.Equal(
            Untestable,
            Judge(ExpectedGuarantee.Broken(Relays.PubSub),
                Arm(Relays.PubSub, [0, 0],
                    row => row with { DrainState = DrainState.NotProven, Buckets = LosingAcknowledged(row.Buckets) })));
    }

    [Fact]
    public void An_expectation_of_every_iteration_is_refuted_by_one_that_does_not_meet_it()
    {
        var expected = ExpectedGuarantee.Broken(Relays.Buffered, inEachIteration: true);
        Assert.Equal(Yes, Judge(expected, Arm(Relays.Buffered, [0, 0], row => row with { Buckets = LosingAcknowledged(row.Buckets) })));
        Assert.Equal(
            No,
            Judge(expected,
                Arm(Relays.Buffered, [0, 0], row => row.Iteration == 1 ? row with { Buckets = LosingAcknowledged(row.Buckets) } : row)));
        Assert.Equal(Untestable, Judge(expected, Arm(Relays.Buffered, [0, 0], row => row with
        {
            Buckets = LosingAcknowledged(row.Buckets),
            DrainState = row.Iteration == 1 ? DrainState.Proven : DrainState.NotProven,
        })));
    }

    [Theory]
    [InlineData(new[] { 0, 0, 0, 0 }, new[] { 0, 0, 0, 0 }, Yes)]
    [InlineData(new[] { 9, 4, 7, 6 }, new[] { 5, 8, 6, 7 }, Yes)]
    [InlineData(new[] { 5, 5, 5, 5 }, new[] { 5, 5, 5, 5 }, Yes)]
    [InlineData(new[] { 90, 91, 92, 93 }, new[] { 1, 2, 3, 4 }, No)]
    [InlineData(new[] { 90, 91, 92 }, new[] { 1, 2, 3 }, TooSmall)]
    [InlineData(new[] { 90, 91 }, new[] { 1, 2 }, TooSmall)]
    [InlineData(new[] { 0, 0, 0 }, new[] { 0, 0, 0 }, TooSmall)]
    [InlineData(new[] { 10, 80, 20, 50 }, new[] { 70, 30, 10, 90 }, Untestable)]
    [InlineData(new[] { 1, 1, 2, 2 }, new[] { 5, 5, 6, 6 }, Yes)]
    public void Losses_do_not_differ_where_their_difference_is_shown_to_be_below_a_percentage_point(
        int[] direct, int[] pubsub, ExpectationWord word) =>
        Assert.Equal(
            word, Judge(ExpectedDifference.None(Relays.Direct, Relays.PubSub), Arm(Relays.Direct, direct), Arm(Relays.PubSub, pubsub)));

    [Theory]
    [InlineData(new[] { 1, 2, 3, 4 }, new[] { 90, 91, 92, 93 }, Yes)]
    [InlineData(new[] { 6, 6, 7, 8 }, new[] { 5, 8, 6, 7 }, Yes)]
    [InlineData(new[] { 90, 91, 92, 93 }, new[] { 1, 2, 3, 4 }, No)]
    [InlineData(new[] { 90, 91, 92 }, new[] { 1, 2, 3 }, TooSmall)]
    [InlineData(new[] { 1, 2 }, new[] { 90, 91 }, TooSmall)]
    [InlineData(new[] { 70, 30, 10, 90 }, new[] { 10, 80, 20, 50 }, Untestable)]
    [InlineData(new[] { 0, 0, 0, 0 }, new[] { 0, 0, 0, 0 }, Yes)]
    public void An_arm_loses_no_more_where_it_is_shown_to_lose_less_than_a_percentage_point_more(
        int[] buffered, int[] pubsub, ExpectationWord word) =>
        Assert.Equal(
            word, Judge(
                ExpectedDifference.NoMore(Relays.Buffered, Relays.PubSub), Arm(Relays.Buffered, buffered), Arm(Relays.PubSub, pubsub)));

    [Fact]
    public void Nothing_lost_in_either_arm_is_a_bound_and_shows_nothing_where_the_mechanism_needs_losses()
    {
        ArmEvidence[] arms = [Arm(Relays.Direct, [0, 0, 0, 0]), Arm(Relays.PubSub, [0, 0, 0, 0])];
        var expected = ExpectedDifference.None(Relays.Direct, Relays.PubSub);
        Assert.EndsWith(
            "with 4 iterations at most 60.2 % of iterations lose any (95 %)", expected.Judge(new FaultEvidence(null, arms)).Found,
            StringComparison.Ordinal);
        Assert.Equal(Untestable, Judge(ExpectedDifference.None(Relays.Direct, Relays.PubSub, needsLoss: true), arms));
    }

    [Fact]
    public void A_forecast_shows_its_range_over_iterations_and_leaves_out_shed_and_unconnected_messages()
    {
        Assert.EndsWith(
            "200 predicted: 1.100 of it, in iterations from 0.500 to 1.700",
            Found(ExpectedLoss.AsForecast(Relays.Direct), Arm(Relays.Direct, [50, 170], predicted: 100)), StringComparison.Ordinal);
        var shed = Arm(
            Relays.Direct, [150],
            row => row with { Buckets = row.Buckets with { Causes = new CauseCounts(NoSubscriber: 100, Shed: 40, ConnectTimeout: 10) } },
            predicted: 100);
        Assert.Contains(
            "without 50 shed or not connected, 100 predicted: 1.000 of it", Found(ExpectedLoss.AsForecast(Relays.Direct), shed),
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(100, Yes)]
    [InlineData(76, Yes)]
    [InlineData(74, No)]
    [InlineData(126, No)]
    public void Under_churn_the_closed_form_is_judged_within_a_quarter(int lost, ExpectationWord word) =>
        Assert.Equal(
            word, Judge(ExpectedLoss.AsClosedForm(Relays.Direct, TimeSpan.FromMilliseconds(900)), Arm(Relays.Direct, [lost], away: 100)));

    [Fact]
    public void A_fault_that_did_not_hit_an_iteration_is_not_as_predicted()
    {
        var arm = Arm(Relays.PubSub, [0, 0]);
        Assert.Equal(Yes, Judge(ExpectedOutage.OfSubscribers(Relays.PubSub), arm));
        Assert.Equal(
            No,
            Judge(ExpectedOutage.OfSubscribers(Relays.PubSub),
                arm with { Faults = [arm.Faults[0], arm.Faults[1] with { SubscriberWindows = 0 }] }));
        Assert.Equal(Untestable, Judge(ExpectedOutage.OfSubscribers(Relays.PubSub), arm with { Faults = [] }));
    }

    [Theory]
    [InlineData(1000, 1050, Yes)]
    [InlineData(1000, 950, Yes)]
    [InlineData(1000, 1051, No)]
    public void Windows_agree_within_5_percent(int direct, int pubsub, ExpectationWord word) =>
        Assert.Equal(
            word,
            Judge(
                ExpectedOutage.AlikeIn(Relays.Direct, Relays.PubSub),
                Arm(Relays.Direct, [1], away: direct), Arm(Relays.PubSub, [0], away: pubsub)));

    [Fact]
    public void The_mean_window_counts_each_iteration_as_it_had_windows()
    {
        var arm = Arm(Relays.Direct, [0, 0]);
        arm = arm with
        {
            Faults = [arm.Faults[0] with { SubscriberWindows = 1, SubscriberAwayMean = TimeSpan.FromSeconds(4) },
                arm.Faults[1] with { SubscriberWindows = 3, SubscriberAwayMean = TimeSpan.FromSeconds(2) }]
        };
        Assert.Equal(2_500, arm.SubscriberAwayMean!.Value, 9);
    }

    [Fact]
    public void A_queue_that_was_away_shows_in_latency_or_loss_of_every_iteration()
    {
        var expected = ExpectedOutage.Shows(Relays.PubSub, TimeSpan.FromSeconds(5));
        Assert.Equal(No, Judge(expected, Arm(Relays.PubSub, [0, 0])));
        Assert.Equal(No, Judge(expected, Arm(Relays.PubSub, [1, 9])));
        Assert.Equal(No, Judge(expected, Arm(Relays.PubSub, [10, 0])));
        Assert.Equal(
            Yes,
            Judge(expected,
                Arm(Relays.PubSub, [10, 0], row => row.Iteration == 2 ? row with { FromDue = Some.Latency(100, 1_250_000) } : row)));
    }

    [Theory]
    [InlineData(160, 160, Yes)]
    [InlineData(116, 317, Yes)]
    [InlineData(160, 114, No)]
    [InlineData(319, 160, No)]
    [InlineData(1, 1, No)]
    public void Shedding_is_that_of_a_loss_system_between_even_arrivals_and_Poissons_in_every_iteration(
        int first, int second, ExpectationWord word)
    {
        var arm = Arm(
            Relays.Direct, [first, second],
            row => row with { Buckets = row.Buckets with { Causes = new CauseCounts(Shed: row.Buckets.Lost) } });
        Assert.Equal(word, Shedding.Judge(new FaultEvidence(null, [arm]) { Spread = TimeSpan.FromSeconds(1) }).Word);
    }

    // From the formula by hand, and B(10, 5) from printed tables.
    [Theory]
    [InlineData(1, 1, 0.5)]
    [InlineData(10, 5, 0.0184)]
    [InlineData(2, 1, 0.2)]
    [InlineData(7, 8, 0.3082)]
    public void Erlangs_B_is_that_of_the_tables(int places, double load, double blocked) =>
        Assert.Equal(blocked, ExpectedShedding.ErlangB(places, load), 4);

    [Fact]
    public void Shedding_is_a_cause_and_not_any_loss_and_needs_a_rate_above_the_capacity()
    {
        var evidence = new FaultEvidence(null, [Arm(Relays.Direct, [160])]) { Spread = TimeSpan.FromSeconds(1) };
        Assert.Equal(No, Shedding.Judge(evidence).Word);
        Assert.Equal(Untestable, Shedding.Judge(evidence with { Spread = TimeSpan.FromSeconds(1.2) }).Word);
        Assert.Equal(Untestable, Shedding.Judge(evidence with { Spread = TimeSpan.Zero }).Word);
    }

    [Fact]
    public void Arms_that_were_not_run_and_invalid_runs_are_not_judged()
    {
        Assert.Equal(
            "pubsub was not run", ExpectedLoss.None(Relays.PubSub).Judge(new FaultEvidence(null, [Arm(Relays.Direct, [0])])).Found);
        Assert.Equal(
            "the run is invalid",
            ExpectedLoss.None(Relays.Direct).Judge(new FaultEvidence("the run is invalid", [Arm(Relays.Direct, [0])])).Found);
    }

    [Fact]
    public void A_prediction_is_as_its_weakest_line()
    {
        var direct = Arm(Relays.Direct, [0, 0]);
        var prediction = FaultProfiles.None.Expectations;
        Assert.Equal(Yes, FaultJudge.Judge(prediction, new FaultEvidence(null, [direct, Arm(Relays.PubSub, [0, 0])])).Word);
        Assert.Equal(No, FaultJudge.Judge(prediction, new FaultEvidence(null, [direct, Arm(Relays.PubSub, [0, 1])])).Word);
        Assert.Equal(Untestable, FaultJudge.Judge(prediction, new FaultEvidence(null, [direct])).Word);
    }

    [Fact]
    public void A_line_about_an_arm_that_was_not_run_is_left_out_where_the_prediction_does_without()
    {
        ArmEvidence[] arms = [Arm(Relays.Direct, [100, 100], predicted: 100), Arm(Relays.PubSub, [0, 0])];
        var prediction = new ChurnFault().Expectations;
        Assert.Equal(4, FaultJudge.Judge(prediction, new FaultEvidence(null, arms)).Findings.Count);
        Assert.Equal(
            5, FaultJudge.Judge(prediction, new FaultEvidence(null, [.. arms, Arm(Relays.Buffered, [0, 0])])).Findings.Count);
    }

    // Ten kills with at most 1,000 received each, and 2,000 messages published again.
    [Theory]
    [InlineData(12_000, Yes)]
    [InlineData(12_001, No)]
    public void Duplicates_are_bounded_by_the_kills_and_the_messages_published_again(long duplicates, ExpectationWord word)
    {
        var arm = Arm(Relays.PubSub, [0, 0], row => row.Iteration == 1 ? row with { Anomalies = new(duplicates, 0, 0, 0) } : row);
        var killed = arm with { Faults = [.. arm.Faults.Select(fault => fault with { FaultActions = 10, Republished = 2_000 })] };

        // The second iteration, in which nothing came twice, does not make up for the first.
        Assert.Equal(word, Judge(ExpectedArrivals.NoMoreTwice(Relays.PubSub, received: 1_000), killed));
        Assert.EndsWith(
            $"in the iteration nearest to its bound {duplicates} of at most 12000",
            Found(ExpectedArrivals.NoMoreTwice(Relays.PubSub, received: 1_000), killed), StringComparison.Ordinal);
    }

    [Fact]
    public void Without_counted_kills_nothing_bounds_duplicates() => Assert.Equal(
        Untestable, Judge(ExpectedArrivals.NoMoreTwice(Relays.PubSub, received: 1_000), Arm(Relays.PubSub, [0]) with { Faults = [] }));

    [Theory]
    [InlineData(0, 0, Yes)]
    [InlineData(1, 0, No)]
    [InlineData(0, 1, No)]
    public void Messages_are_as_sent_if_none_is_unexpected_or_corrupted(long unexpected, long corrupted, ExpectationWord word) =>
        Assert.Equal(word, Judge(
            ExpectedArrivals.AsSent(Relays.PubSub),
            Arm(Relays.PubSub, [0, 0], row => row with { Anomalies = new(0, 0, unexpected, corrupted) })));

    [Fact]
    public void Duplicates_are_predicted_if_the_scenario_limits_the_messages_in_flight()
    {
        var scenario = new OneWayScenario { Name = "x", Users = [10], Fault = new RestartFault(KillSignal.Kill) };

        Assert.Equal(3, FaultExpectations.From(scenario).Count);
        Assert.Contains(
            "in every iteration pubsub delivers at most 500 duplicates for each kill, and one for each message published again",
            FaultExpectations.Registered(scenario with { MaxInFlight = 500 }).Expectations);
        Assert.Equal(
            new ChurnFault().Expectations.Count,
            FaultExpectations.From(scenario with { Fault = new ChurnFault(), MaxInFlight = 500 }).Count);
    }

    [Theory]
    [InlineData(new[] { 50, 51, 52, 53 }, new[] { 0, 0, 0, 0 }, LessLossWord.Holds)]
    [InlineData(new[] { 0, 0, 0, 0 }, new[] { 50, 51, 52, 53 }, LessLossWord.Reversed)]
    [InlineData(new[] { 5, 60, 70, 80 }, new[] { 70, 80, 60, 5 }, LessLossWord.NotShown)]
    // Of 1,000 messages in each iteration 0.5 points less, in every rearrangement the furthest: alike comes before less.
    [InlineData(new[] { 5, 6, 5, 6 }, new[] { 0, 1, 0, 1 }, LessLossWord.Alike)]
    [InlineData(new[] { 5, 6, 7, 8 }, new[] { 8, 7, 6, 5 }, LessLossWord.Alike)]
    [InlineData(new[] { 0, 0, 0, 0 }, new[] { 0, 0, 0, 0 }, LessLossWord.NotTestable)]
    [InlineData(new[] { 50, 51, 52 }, new[] { 0, 0, 0 }, LessLossWord.NotJudged)]
    [InlineData(new[] { 50, 51 }, new[] { 0, 0 }, LessLossWord.NotJudged)]
    public void Pubsub_loses_less_where_a_permutation_of_blocks_says_so(int[] direct, int[] pubsub, LessLossWord word) =>
        Assert.Equal(word, LessLoss.From(new FaultEvidence(null, [Arm(Relays.Direct, direct), Arm(Relays.PubSub, pubsub)])).Word);

    [Fact]
    public void Pubsub_does_not_lose_less_where_the_arms_did_not_suffer_the_same()
    {
        var direct = Arm(Relays.Direct, [50, 51, 52, 53], away: 1_000);
        Assert.Equal(
            LessLossWord.Holds, LessLoss.From(new FaultEvidence(null, [direct, Arm(Relays.PubSub, [0, 0, 0, 0], away: 1_000)])).Word);
        Assert.Equal(
            LessLossWord.NotTestable, LessLoss.From(new FaultEvidence(null, [direct, Arm(Relays.PubSub, [0, 0, 0, 0], away: 900)])).Word);
    }

    [Fact]
    public void At_least_two_profiles_predict_that_pubsub_gains_nothing_and_one_that_it_is_harmed()
    {
        Assert.True(FaultProfiles.All.Count(fault => fault.Expectations.Any(one => one.Id == "losses-do-not-differ")) >= 2);
        Assert.Contains(FaultProfiles.All, fault => fault.Expectations.Any(one => one.Id == "delays-or-refuses"));
        Assert.All(FaultProfiles.All, fault => Assert.NotEmpty(fault.Expectations));
    }

    // 8 erlangs of the 1,000 messages a second of Arm: 12.5 % if they come evenly, 30.8 % if by chance.
    private static readonly Expectation Shedding = ExpectedShedding.OfLossSystem(Relays.Direct, 7, TimeSpan.FromMilliseconds(8));

    private static ExpectationWord Judge(Expectation expected, params ArmEvidence[] arms) =>
        expected.Judge(new FaultEvidence(null, arms)).Word;

    private static string Found(Expectation expected, params ArmEvidence[] arms) => expected.Judge(new FaultEvidence(null, arms)).Found;

    private static ArmEvidence Arm(
        string arm, int[] lost, Func<IterationRow, IterationRow>? change = null, int predicted = 0, int away = 100)
    {
        IterationRow[] rows = [.. lost.Select((count, i) => Some.Row(arm, 1_000, i + 1, i + 1) with
        {
            Buckets = new Buckets
                { Attempts = 1_000, Acknowledged = 1_000 - count, Delivered = 1_000 - count, Refused = count,
                    Causes = new CauseCounts(NoSubscriber: count) },
        }).Select(row => change?.Invoke(row) ?? row)];
        return new ArmEvidence(new ArmLevel(arm, Some.Level(1_000), rows), [.. rows.Select(row => new FaultRow
        {
            Arm = arm, Iteration = row.Iteration, FaultActions = 0, SubscriberWindows = 10,
            SubscriberAwayMean = TimeSpan.FromMilliseconds(away),
            PublisherWindows = 0, NeverBack = 0, PredictedLost = predicted, Republished = 0, LateWhileAway = 0,
        })]);
    }

    private static Buckets LosingAcknowledged(Buckets buckets) =>
        buckets with { Delivered = buckets.Delivered - 1, LostAcknowledged = 1, Causes = buckets.Causes.Add(new CauseCounts(Deadline: 1)) };
}
