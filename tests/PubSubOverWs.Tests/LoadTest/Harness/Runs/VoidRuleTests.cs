using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Experiments.RequestReply;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Queues;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.LoadTest.Harness.Runs;

public sealed class VoidRuleTests
{
    private static readonly IterationRow Good = Some.Row(Relays.PubSub, 50, 1, 1);

    private static readonly IterationRow Loses = Good with
    {
        Buckets = new Buckets { Attempts = 50, Delivered = 40, LostAcknowledged = 10, Causes = new CauseCounts(Deadline: 10) },
    };

    private const string Gone =
        "server-closed(ERROR Message ID to /queue/ID was not taken: The queue at http://127.0.0.1:4566/ refused SendMessageBatch with "
            + "QueueDoesNotExist (The specified queue does not exist): create it, or check whether the region is right.) x 50";

    [Fact]
    public void An_iteration_in_which_nothing_failed_counts() => Assert.Null(Because(Stats(), Stats()));

    [Theory]
    [InlineData("QueueDoesNotExist", true)]
    [InlineData("AccessDenied", true)]
    [InlineData("RequestThrottled", true)]
    [InlineData("OutOfDescriptors", true)]
    [InlineData("OverLimit", false)]
    [InlineData("TimedOut", false)]
    [InlineData("Unreachable", false)]
    public void Calls_that_failed_make_it_void_if_no_client_can_cause_that(string code, bool isVoid) =>
        Assert.Equal(isVoid ? "Said of it." : null, Because(Stats(), Stats(failures: Failed(code, 3))));

    [Fact]
    public void What_failed_before_the_iteration_is_not_of_it() =>
        Assert.Null(Because(Stats(failures: Failed("AccessDenied", 3)), Stats(failures: Failed("AccessDenied", 3))));

    [Fact]
    public void A_server_that_was_restarted_counts_from_then_on()
    {
        var after = Stats(failures: Failed("AccessDenied", 3));

        Assert.Equal("Said of it.", Because(null, after, one => one with { Restarted = true }));
        Assert.Null(Because(null, after));
    }

    [Theory]
    [InlineData("Unreachable", false, true)]
    [InlineData("TimedOut", false, true)]
    [InlineData("TimedOut", true, false)]
    public void A_queue_that_the_server_cannot_reach_makes_it_void_if_the_runner_cannot_either_but_slowness_is_a_result_of_the_knee(
        string code, bool isKnee, bool isVoid)
    {
        var scenario = isKnee ? new RequestReplyScenario { Name = "x", Rates = [100] } : (Scenario)Some.Scenario;
        var row = isKnee ? Good with { Level = scenario.Levels[0], Connections = scenario.UsersAt(scenario.Levels[0]) } : Good;

        Assert.Equal(
            isVoid ? "Said of it." : null,
            VoidRule.Because(scenario, Servers(1), row, Measured(Stats(), Stats(failures: Failed(code, 1)), NotProven("Unreachable"))));
    }

    [Fact]
    public void A_probe_of_the_runner_that_is_refused_makes_it_void_and_one_that_is_not_answered_does_not()
    {
        Assert.Equal("The probe failed.", Because(Stats(), Stats(), drain: NotProven("QueueDoesNotExist")));
        Assert.Null(Because(Stats(), Stats(), drain: NotProven("Unreachable")));
    }

    [Fact]
    public void A_refusal_that_only_users_were_told_of_makes_it_void()
    {
        const string Told = "server-closed(ERROR The queue at q refused SendMessageBatch with AccessDenied.)";

        Assert.Equal(Told, Because(null, null, failures: new() { [Told] = 5 }));
    }

    [Fact]
    public void Messages_that_left_the_queue_by_another_way_than_its_server_make_a_loss_void()
    {
        Assert.StartsWith(
            "10 of 50 messages that the queue had taken never came to its server", Because(Stats(), Stats(50, 40), row: Loses));
        Assert.Null(Because(Stats(), Stats(50, 40)));
        Assert.Null(Because(Stats(), Stats(50, 50), row: Loses));
        Assert.Null(Because(Stats(), Stats(50, 40), row: Loses, drain: DrainResult.NoQueue with { DeadLettered = 10 }));
        Assert.NotNull(Because(Stats(), Stats(50, 40, dead: 10), row: Loses, drain: DrainResult.NoQueue with { DeadLettered = 10 }));
        Assert.Null(Because(Stats(), Stats(50, 40, failures: Failed("TimedOut", 1)), row: Loses));
    }

    [Fact]
    public void Of_servers_that_share_the_work_a_missing_queue_is_their_own_unless_the_runner_misses_it()
    {
        var gone = Measured(Stats(), Stats(failures: Failed("QueueDoesNotExist", 1)), DrainResult.NoQueue);

        Assert.Null(VoidRule.Because(Some.Scenario, Servers(2), Good, gone));
        Assert.NotNull(VoidRule.Because(Some.Scenario, Servers(2), Good, gone with { Drain = NotProven("QueueDoesNotExist") }));
    }

    [Fact]
    public void A_fault_that_kills_the_queue_makes_nothing_void() =>
        Assert.Null(VoidRule.Because(
            SmallFault.Scenario with { Fault = new QueueKilledFault() }, Servers(1), Loses,
            Measured(Stats(), Stats(failures: Failed("QueueDoesNotExist", 9)), NotProven("QueueDoesNotExist"))));

    [Theory]
    [InlineData(Gone)]
    [InlineData("connect-timeout(the queue q failed 3 of 10 entries of a Send batch with AWS.SimpleQueueService.AccessDenied (no)) x 1")]
    [InlineData("send-error(The queue at q refused SendMessageBatch with ExpiredToken (The token is expired): renew it.) x 1")]
    [InlineData("send-error(The queue at q refused SendMessageBatch with RequestThrottled: it throttles calls for now.) x 1")]
    public void A_failure_that_tells_of_a_refusal_is_one(string failure) => Assert.True(QueueRefusal.IsIn(failure, hasNodes: false));

    [Theory]
    [InlineData("send-error(The queue at q refused SendMessageBatch with OverLimit (too many in flight).) x 1")]
    [InlineData("send-error(The queue at q did not answer SendMessageBatch within 10 s: check whether it is overloaded.) x 1")]
    [InlineData("handshake-rejected(503) x 7")]
    public void Refusals_that_clients_can_cause_and_slow_calls_count(string failure) =>
        Assert.False(QueueRefusal.IsIn(failure, hasNodes: false));

    [Fact]
    public void Servers_that_share_the_work_delete_each_others_queues_so_that_a_missing_one_is_theirs()
    {
        Assert.False(QueueRefusal.IsIn(Gone, hasNodes: true));
        Assert.True(QueueRefusal.IsIn(Gone.Replace("QueueDoesNotExist", "AccessDenied", StringComparison.Ordinal), hasNodes: true));
    }

    [Fact]
    public void Every_code_of_our_clients_that_no_client_can_cause_is_a_refusal()
    {
        string[] ours = [SqsErrorCode.NoCredentials, SqsErrorCode.CredentialsNotRenewed, SqsErrorCode.OutOfDescriptors];
        string[] theirs = [SqsErrorCode.QueueDoesNotExist, SnsErrorCode.NotFound, SnsErrorCode.AuthorizationError];
        string[] arms = [SqsErrorCode.Unreachable, SqsErrorCode.TimedOut, SqsErrorCode.OverLimit, SqsErrorCode.ReceiptHandleIsInvalid];

        Assert.All(ours.Concat(theirs), code => Assert.True(QueueRefusal.Is(code, hasNodes: false), code));
        Assert.All(arms, code => Assert.False(QueueRefusal.Is(code, hasNodes: false), code));
    }

    private static string? Because(
        string? before, string? after, Func<IterationMeasurement, IterationMeasurement>? change = null, IterationRow? row = null,
        DrainResult? drain = null, Dictionary<string, int>? failures = null)
    {
        var measured = Measured(before, after, drain ?? DrainResult.NoQueue, failures);
        return VoidRule.Because(Some.Scenario, Servers(1), row ?? Good, change?.Invoke(measured) ?? measured);
    }

    private static IterationMeasurement Measured(
        string? before, string? after, DrainResult drain, Dictionary<string, int>? failures = null) =>
        new(new Observed([], [default], 0, failures ?? []))
        {
            Connections = 50,
            Connect = TimeSpan.Zero,
            Burst = TimeSpan.Zero,
            Drain = drain,
            Cpu = default,
            Stats = [new ServerStats(Relays.PubSub, before, after)],
            Collections = 0,
            Restarted = false,
        };

    private static DrainResult NotProven(string code) => DrainResult.NoQueue with
    {
        State = DrainState.NotProven,
        Failure = new QueueException(code, "The probe failed.", isRetryable: true),
    };

    private static ServerGroup Servers(int count) =>
        new([.. Enumerable.Range(1, count).Select(number => new GroupMember($"{number}", null!, Stats: null, Process: null))]);

    private static string Failed(string code, int count) => $$"""{ "{{code}}": { "count": {{count}}, "latest": "Said of it." } }""";

    private static string Stats(long sent = 0, long deleted = 0, long dead = 0, string failures = "{}") =>
        $$"""{ "queue": { "sent": {{sent}}, "deleted": {{deleted}}, "deadLettered": {{dead}}, "failures": {{failures}} } }""";
}
