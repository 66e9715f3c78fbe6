using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report.Claims;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.Record.Files;

/// <summary>Events as programs wrote them that measured on while their queue was gone.</summary>
public sealed class VoidIterationsTests
{
    private const string Refused =
        "server-closed(ERROR Message ID to /queue/ID was not taken: The queue at http://127.0.0.1:4566/ refused SendMessageBatch with "
            + "QueueDoesNotExist (The specified queue does not exist): create it, or check whether the region is right.) x 50";

    private const string Away =
        "server-closed(ERROR Message ID to /queue/ID was perhaps not taken, the outcome is unknown: The queue at http://127.0.0.1:4566/ "
            + "cannot be reached (ConnectionRefused): start it, or name another in Sqs:Endpoint; send it again with the same id.) x 50";

    private static readonly IterationRow Direct = Some.Row(Relays.Direct, 50, 1, 1);
    private static readonly IterationRow First = Some.Row(Relays.PubSub, 50, 1, 1);
    private static readonly IterationRow Second = Some.Row(Relays.PubSub, 50, 1, 2);

    [Theory]
    [InlineData(Refused)]
    [InlineData("connect-timeout(the queue q failed 3 of 10 entries of a Send batch with AWS.SimpleQueueService.AccessDenied (no)) x 1")]
    [InlineData("send-error(The queue at q refused SendMessageBatch with ExpiredToken (The token is expired): renew it.) x 1")]
    [InlineData("send-error(The queue at q refused SendMessageBatch with RequestThrottled: it throttles calls for now.) x 1")]
    public void An_iteration_whose_users_were_told_of_a_refusal_is_void_and_the_others_are_not(string failure)
    {
        var rows = Marked(Some.Scenario, Failure(Relays.PubSub, 2, failure));

        Assert.Equal([null, null, $"iteration 2: {failure}"], rows.Select(row => row.VoidBecause));
        Assert.Equal([true, true, false], rows.Select(row => row.Counts));
    }

    [Theory]
    [InlineData("send-error(The queue at q refused SendMessageBatch with OverLimit (too many in flight).) x 1")]
    [InlineData("send-error(The queue at q did not answer SendMessageBatch within 10 s: check whether it is overloaded.) x 1")]
    [InlineData("handshake-rejected(503) x 7")]
    public void Refusals_that_clients_can_cause_and_slow_calls_count(string failure) =>
        Assert.All(Marked(Some.Scenario, Failure(Relays.PubSub, 2, failure)), row => Assert.Null(row.VoidBecause));

    [Fact]
    public void A_queue_that_users_heard_was_away_makes_an_iteration_void_only_if_the_runner_could_not_read_its_counts_either()
    {
        var told = Failure(Relays.PubSub, 2, Away);

        Assert.Null(Marked(Some.Scenario, told)[2].VoidBecause);
        Assert.NotNull(Marked(Some.Scenario, [Second with { DrainState = DrainState.NotProven }], told)[0].VoidBecause);
    }

    [Fact]
    public void Under_a_fault_that_kills_the_queue_nothing_is_void() =>
        Assert.All(
            Marked(SmallFault.Scenario with { Fault = new QueueKilledFault() }, Failure(Relays.PubSub, 2, Refused)),
            row => Assert.Null(row.VoidBecause));

    [Fact]
    public void Servers_that_share_the_work_delete_each_others_queues_so_that_a_missing_one_is_theirs()
    {
        var nodes = Some.Scenario with { PubSubNodes = 2 };

        Assert.Null(Marked(nodes, Failure(Relays.PubSub, 2, Refused))[2].VoidBecause);
        Assert.NotNull(Marked(nodes, Failure(Relays.PubSub, 2, Refused.Replace("QueueDoesNotExist", "AccessDenied")))[2].VoidBecause);
    }

    [Fact]
    public void A_record_with_void_iterations_is_invalid_which_names_arm_level_and_reason()
    {
        var folder = new RunFolder(Some.Run, Marked(Some.Scenario, Failure(Relays.PubSub, 2, Refused)), []);

        var check = Assert.Single(Validity.Check(folder), check => check.Holds == false);

        Assert.Equal(
            ("queue alive all along", $"not measured: pubsub at 50, 1 of 2 iterations void: iteration 2: {Refused}"),
            (check.Name, check.Detail));
    }

    [Fact]
    public void Every_code_of_our_clients_that_no_client_can_cause_is_a_refusal()
    {
        string[] ours = [SqsErrorCode.NoCredentials, SqsErrorCode.CredentialsNotRenewed, SqsErrorCode.OutOfDescriptors];
        string[] theirs = [SqsErrorCode.QueueDoesNotExist, SnsErrorCode.NotFound, SnsErrorCode.AuthorizationError];
        string[] arms = [SqsErrorCode.Unreachable, SqsErrorCode.TimedOut, SqsErrorCode.OverLimit, SqsErrorCode.ReceiptHandleIsInvalid];

        Assert.All(ours.Concat(theirs), code => Assert.True(VoidIterations.IsRefusal(code, hasNodes: false), code));
        Assert.All(arms, code => Assert.False(VoidIterations.IsRefusal(code, hasNodes: false), code));
    }

    private static EventRow Failure(string arm, int iteration, string what) =>
        new(TimeSpan.FromSeconds(iteration), "failure", arm, $"iteration {iteration}: {what}");

    private static IReadOnlyList<IterationRow> Marked(RelayScenario scenario, EventRow failure) =>
        Marked(scenario, [Direct, First, Second], failure);

    private static IReadOnlyList<IterationRow> Marked(RelayScenario scenario, IterationRow[] rows, EventRow failure) =>
        VoidIterations.Mark(scenario, rows, [new(TimeSpan.Zero, "started", Relays.PubSub, "process 1 at http://127.0.0.1:1/"), failure]);
}
