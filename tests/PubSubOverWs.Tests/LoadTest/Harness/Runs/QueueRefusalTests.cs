using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.LoadTest.Harness.Runs;

public sealed class QueueRefusalTests
{
    private const string Gone =
        "server-closed(ERROR Message ID to /queue/ID was not taken: The queue at http://127.0.0.1:4566/ refused SendMessageBatch with "
            + "QueueDoesNotExist (The specified queue does not exist): create it, or check whether the region is right.) x 50";

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
}
