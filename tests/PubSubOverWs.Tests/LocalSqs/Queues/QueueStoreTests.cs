using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class QueueStoreTests
{
    private readonly TestQueue _test = new(("VisibilityTimeout", "5"));

    [Fact]
    public void A_deleted_name_is_free_after_60_seconds()
    {
        _test.Store.Delete("jobs");
        _test.Time.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal(SqsError.QueueDeletedRecently, Refused(() => _test.Create("jobs")));

        _test.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.NotEqual(_test.Queue.Id, _test.Create("jobs").Id);
    }

    [Theory]
    [InlineData("ordered.fifo")]
    [InlineData("ordered.fifo", "FifoQueue", "true")]
    [InlineData("ordered", "FifoQueue", "true")]
    public void A_FIFO_queue_is_refused_and_the_answer_says_where_to_get_one(string name, params string[] attribute)
    {
        var refused = Assert.Throws<SqsErrorException>(
            () => _test.Store.Create(name, attribute is [var key, var value] ? [new(key, value)] : []));

        Assert.Equal(SqsError.UnsupportedOperation, refused.Error);
        Assert.Equal(
            $"LocalSqs has no FIFO queues: use fauxqs or LocalStack for {name}, or a standard queue, without .fifo and FifoQueue.",
            refused.Message);
    }

    [Theory]
    [InlineData("VisibilityTimeout", "-1")]
    [InlineData("VisibilityTimeout", "43201")]
    [InlineData("VisibilityTimeout", "soon")]
    [InlineData("MessageRetentionPeriod", "59")]
    [InlineData("DelaySeconds", "901")]
    [InlineData("ReceiveMessageWaitTimeSeconds", "21")]
    [InlineData("MaximumMessageSize", "1023")]
    [InlineData("MaximumMessageSize", "1048577")]
    [InlineData("RedrivePolicy", "{}")]
    [InlineData("RedrivePolicy", "no JSON")]
    [InlineData("RedrivePolicy", """{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:jobs","maxReceiveCount":1001}""")]
    public void Values_out_of_range_are_refused_and_change_nothing(string name, string value)
    {
        var before = _test.Queue.Settings;

        Assert.Equal(
            SqsError.InvalidAttributeValue, Refused(() => _test.Store.Change("jobs", [new("DelaySeconds", "1"), new(name, value)])));

        Assert.Equal(before, _test.Queue.Settings);
    }

    [Fact]
    public void A_second_purge_within_60_seconds_is_refused()
    {
        _test.Queue.Purge();
        _test.Time.Advance(TimeSpan.FromSeconds(59));

        Assert.Equal(SqsError.PurgeQueueInProgress, Refused(_test.Queue.Purge));

        _test.Time.Advance(TimeSpan.FromSeconds(1));
        _test.Queue.Purge();
    }

    private static SqsError Refused(Action action) => Assert.Throws<SqsErrorException>(action).Error;
}
