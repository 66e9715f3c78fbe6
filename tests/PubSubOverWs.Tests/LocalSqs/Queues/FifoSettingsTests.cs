using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class FifoSettingsTests
{
    private readonly TestQueue _test = TestQueue.Fifo();

    [Fact]
    public void A_FIFO_queue_shows_the_settings_of_its_type_and_a_standard_queue_does_not()
    {
        Assert.Equal(
            [("FifoQueue", "true"), ("ContentBasedDeduplication", "false"), ("DeduplicationScope", "queue"),
                ("FifoThroughputLimit", "perQueue")],
            _test.Queue.Settings.Fifo!.Attributes);
        Assert.Null(_test.Create("standard").Settings.Fifo);
    }

    [Fact]
    public void FIFO_settings_can_be_changed_together()
    {
        Change(("FifoQueue", "true"), ("ContentBasedDeduplication", "true"), ("FifoThroughputLimit", "perMessageGroupId"),
            ("DeduplicationScope", "messageGroup"));

        Assert.Equal(
            [("FifoQueue", "true"), ("ContentBasedDeduplication", "true"), ("DeduplicationScope", "messageGroup"),
                ("FifoThroughputLimit", "perMessageGroupId")],
            _test.Queue.Settings.Fifo!.Attributes);
    }

    [Theory]
    [InlineData("FifoQueue", "false")]
    [InlineData("ContentBasedDeduplication", "maybe")]
    [InlineData("DeduplicationScope", "group")]
    [InlineData("FifoThroughputLimit", "perHour")]
    [InlineData("FifoThroughputLimit", "perMessageGroupId")]
    public void Invalid_FIFO_settings_are_refused_and_change_nothing(string name, string value)
    {
        var before = _test.Queue.Settings;

        Assert.Equal(
            SqsError.InvalidAttributeValue, Assert.Throws<SqsErrorException>(() => Change(("DelaySeconds", "1"), (name, value))).Error);

        Assert.Equal(before, _test.Queue.Settings);
    }

    [Theory]
    [InlineData("FifoQueue", "true")]
    [InlineData("ContentBasedDeduplication", "true")]
    public void A_standard_queue_does_not_take_FIFO_settings(string name, string value)
    {
        _test.Create("standard");

        var refused = Assert.Throws<SqsErrorException>(() => _test.Store.Change("standard", [new(name, value)]));

        Assert.Equal((SqsError.InvalidAttributeName, $"Unknown Attribute {name}."), (refused.Error, refused.Message));
    }

    [Theory]
    [InlineData("orders.fifo", null)]
    [InlineData("orders", "true")]
    [InlineData(".fifo", "true")]
    [InlineData("or.ders.fifo", "true")]
    [InlineData("123456789-123456789-123456789-123456789-123456789-123456789-123456789-123456.fifo", "true")]
    public void A_name_must_end_with_fifo_exactly_if_the_queue_is_a_FIFO_queue(string name, string? isFifo) =>
        Assert.Equal(SqsError.InvalidParameterValue, Assert.Throws<SqsErrorException>(() => Create(name, isFifo)).Error);

    [Theory]
    [InlineData("orders")]
    [InlineData("orders.fifo")]
    public void A_queue_with_the_attribute_FifoQueue_false_is_refused(string name) =>
        Assert.Equal(SqsError.InvalidAttributeName, Assert.Throws<SqsErrorException>(() => Create(name, "false")).Error);

    [Fact]
    public void The_longest_name_of_a_FIFO_queue_has_80_characters() =>
        Assert.True(Create($"{new string('x', 75)}.fifo", "true").IsFifo);

    private QueueInMemory Create(string name, string? isFifo) =>
        isFifo is null ? _test.Create(name) : _test.Create(name, ("FifoQueue", isFifo));

    private void Change(params (string Name, string Value)[] attributes) =>
        _test.Store.Change("jobs.fifo", attributes.ToDictionary(attribute => attribute.Name, attribute => attribute.Value));
}
