using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>A FIFO queue tells when a delete came too late: another may have the message by now.</summary>
public sealed class FifoDeleteTests
{
    private readonly TestQueue _test = TestQueue.Fifo();

    [Fact]
    public void Deleting_twice_changes_nothing_and_is_not_an_error()
    {
        _test.SendTo("one", "a");
        var handle = _test.Handle(_test.Receive()[0]);

        Assert.Null(_test.Queue.Delete(handle));
        Assert.Null(_test.Queue.Delete(handle));
    }

    [Fact]
    public void A_receipt_whose_visibility_ran_out_is_refused_and_deletes_nothing()
    {
        _test.SendTo("one", "a");
        var handle = _test.Handle(_test.Receive()[0]);
        _test.Time.Advance(TimeSpan.FromSeconds(30));

        Assert.Equal(SqsError.InvalidParameterValue, _test.Queue.Delete(handle));

        Assert.Equal(new QueueCounts(1, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public void A_receipt_that_is_not_the_latest_is_refused_and_deletes_nothing()
    {
        _test.SendTo("one", "a");
        var handle = _test.Handle(_test.Receive()[0]);
        _test.Time.Advance(TimeSpan.FromSeconds(30));
        _test.Receive();

        Assert.Equal(SqsError.InvalidParameterValue, _test.Queue.Delete(handle));

        Assert.Equal(new QueueCounts(0, 1, 0), _test.Queue.Count());
    }
}
