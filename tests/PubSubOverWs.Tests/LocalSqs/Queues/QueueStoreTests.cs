using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class QueueStoreTests
{
    private readonly TestQueue _test = new(("VisibilityTimeout", "5"));

    [Fact]
    public void Creating_a_queue_again_with_the_same_attributes_finds_it()
    {
        Assert.Same(_test.Queue, _test.Create("jobs"));
        Assert.Same(_test.Queue, _test.Create("jobs", ("VisibilityTimeout", "5")));
    }

    [Fact]
    public void Creating_a_queue_again_with_other_attributes_is_refused() =>
        Assert.Equal(SqsError.QueueNameExists, Refused(() => _test.Create("jobs", ("VisibilityTimeout", "6"))));

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
    [InlineData("")]
    [InlineData("with space")]
    [InlineData("123456789-123456789-123456789-123456789-123456789-123456789-123456789-123456789-1")]
    public void Names_that_SQS_does_not_take_are_refused(string name) =>
        Assert.Equal(SqsError.InvalidParameterValue, Refused(() => _test.Create(name)));

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
    public void Unknown_attributes_are_refused() =>
        Assert.Equal(SqsError.InvalidAttributeName, Refused(() => _test.Store.Change("jobs", [new("KmsMasterKeyId", "alias/mine")])));

    [Fact]
    public void Queues_are_listed_by_prefix_in_pages()
    {
        foreach (var name in new[] { "b-2", "b-1", "a" })
            _test.Create(name);

        Assert.Equal(["a", "b-1", "b-2", "jobs"], _test.Store.List("", "", 10));
        Assert.Equal(["b-1"], _test.Store.List("b-", "", 1));
        Assert.Equal(["b-2"], _test.Store.List("b-", "b-1", 1));
    }

    private static SqsError Refused(Action action) => Assert.Throws<SqsErrorException>(action).Error;
}
