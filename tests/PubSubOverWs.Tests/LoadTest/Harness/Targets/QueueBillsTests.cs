using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.LoadTest.Harness.Runs;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class QueueBillsTests
{
    private static readonly AwsTarget Aws = new("eu-west-1");

    [Fact]
    public void A_queue_that_costs_nothing_has_no_bill_unless_its_price_is_asked_for()
    {
        Assert.Null(Job(new RunRequest()).Bill);
        Assert.Null(Job(new RunRequest { Queue = Aws }, Relays.Direct).Bill);
        Assert.Equal(0.9m, Job(new RunRequest { PricePerMillion = 0.9m }).Bill?.PricePerMillion);
        Assert.Equal(0.40m, Job(new RunRequest { Queue = Aws }).Bill?.PricePerMillion);
    }

    [Fact]
    public void A_bill_counts_messages_looks_polls_that_time_out_and_calls_at_the_start_and_the_end()
    {
        var job = Job(new RunRequest { Queue = Aws }, [Relays.Unpacked]);
        var bill = job.Bill!;

        // Four turns of 25 messages: 3 calls each way in tens, 25 one by one; 1,124 bytes each, so that ten are one request.
        // Looks: 6 at the queue and the parked one, and the one at the dead letters; or twice as many. Polls: 4 loops of 15 s, over half or
        // twice the time.
        var (half, twice) = (Polls(job.Expected / 2), Polls(job.Expected * 2));
        Assert.Equal(4 * (3 * 3) + 4 * (2 * 6 + 1) + half, bill.ExpectedAtLeast);
        Assert.Equal(4 * (3 * 25) + 4 * (2 * 12 + 1) + twice + 2 * 30, bill.ExpectedAtMost);
        Assert.True(job.Expected > 4 * DrainLooks.Aws.Shortest);
    }

    [Fact]
    public void Publishes_that_may_share_SQS_messages_cost_less_at_least_and_as_much_at_most()
    {
        var packed = Job(new RunRequest { Queue = Aws }, Relays.Named(Relays.PubSub));
        var alone = Job(new RunRequest { Queue = Aws }, [Relays.Unpacked]);

        // All 25 of a turn in one SQS message, or as before.
        Assert.Equal(4 * (3 * 1) + 4 * (2 * 6 + 1) + Polls(packed.Expected / 2), packed.Bill!.ExpectedAtLeast);
        Assert.Equal(alone.Expected, packed.Expected);
        Assert.Equal(alone.Bill!.ExpectedAtMost, packed.Bill.ExpectedAtMost);
    }

    [Fact]
    public void Several_servers_each_poll_two_queues_and_announce_their_subscriptions()
    {
        var one = Job(new RunRequest { Queue = Aws });
        var job = one with { Scenario = one.Scenario.OneWay() with { PubSubNodes = 3 } };
        var bill = job.Bill!;

        // All 25 of a turn in one SQS message.
        // Looks at three queues, the shared one, the parked one, and the dead letters. Every 2 s each sends to three and lists, and each
        // receives and deletes what three said; every fifth time it asks SNS.
        var (half, twice) = (6 * Polls(job.Expected / 2), 6 * Polls(job.Expected * 2));
        var (few, many) = (3 * Rounds(job.Expected / 2), 3 * Rounds(job.Expected * 2));
        Assert.Equal(4 * (3 * 1) + 4 * (5 * 6 + 1) + half + 4 * few + (few + 4) / 5 + 2 * 3 * ((few + 9) / 10), bill.ExpectedAtLeast);
        // And what changes: 25 subscriptions come and go in each of four turns, each told to three and heard by three.
        var changes = 4 * 50 * (3 + 2 * 3);
        Assert.Equal(
            4 * (3 * 25) + 4 * (5 * 12 + 1) + twice + 4 * many + (many + 4) / 5 + 2 * 3 * many + changes + 3 * 2 * 30, bill.ExpectedAtMost);
        Assert.Equal(new NodeOptions().AnnounceEvery, QueueBills.AnnounceEvery);
    }

    [Fact]
    public void The_cost_of_a_recorded_part_is_known_only_if_all_of_it_was_counted()
    {
        var job = Job(new RunRequest { Queue = Aws });
        Assert.Equal(0, job.CallsMade);

        using var recorded = new RecordedRun(rows: 1);
        var before = RecordReader.Read(recorded.Folder).Run;
        RunJob Resumed(long? made) =>
            job with
            {
                Before = before with { Bill = job.Bill! with { Made = made } },
                Recorded = RecordReader.Read(recorded.Folder).Rows
            };
        Assert.Equal(7, Resumed(7).CallsMade);
        Assert.Null(Resumed(null).CallsMade);
    }

    [Fact]
    public void Without_the_users_consent_a_run_on_AWS_is_refused_with_its_expected_cost()
    {
        var bill = Job(new RunRequest { Queue = Aws }).Bill;

        var refused = Xunit.Record.Exception(() => CostConsent.Check(Aws, bill, mayCostMoney: false));

        Assert.Matches(
            @"^Amazon SQS in eu-west-1 costs money, here about \d+ to \d+ requests to SQS, \$0\.\d+ to \$0\.\d+ at \$0\.40 per million: "
                + @"use --yes-this-costs-money if that may be spent, or --dry-run to see the whole plan\.$",
            refused?.Message);
        CostConsent.Check(Aws, bill, mayCostMoney: true);
        CostConsent.Check(QueueTarget.Embedded, bill, mayCostMoney: false);
        CostConsent.Check(Aws, bill: null, mayCostMoney: false);
    }

    private static long Rounds(TimeSpan time) => (long)Math.Ceiling(time.TotalSeconds / 2);

    private static long Polls(TimeSpan time) => 4 * (long)Math.Ceiling(time.TotalSeconds / 15);

    /// <summary>Two blocks with two turns of pubsub each.</summary>
    private static RunJob Job(RunRequest request, params string[] arms) =>
        Job(request, Relays.Named(arms.Length == 0 ? [Relays.Direct, Relays.PubSub] : arms));

    private static RunJob Job(RunRequest request, IReadOnlyList<Arm> arms)
    {
        var scenario = new OneWayScenario
        {
            Name = "tiny",
            Users = [25],
            Iterations = 4,
            Blocks = 2,
            WarmUps = 0,
            Floor = false,
            PayloadBytes = 100,
            Arms = arms,
        };
        var order = RunPlan.For(scenario);
        return new RunJob { Request = request, Scenario = scenario, Folder = "/", Order = order, Trials = Trial.From(scenario, order) };
    }
}
