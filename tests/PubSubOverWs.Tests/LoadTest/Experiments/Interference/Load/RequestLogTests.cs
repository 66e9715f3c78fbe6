using System.Text;
using PubSubOverWs.LoadTest.Experiments.Interference.Load;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Interference.Load;

public sealed class RequestLogTests
{
    private readonly Countdown _waiting = new(1);
    private readonly RequestLog _log;

    public RequestLogTests() => _log = new RequestLog("r-1", requests: 2, messageBytes: 8, _waiting);

    [Fact]
    public void When_every_reply_has_come_nothing_more_is_waited_for()
    {
        _log.SentAt(0, 10);
        _log.SentAt(1, 20);

        Assert.True(Take("r-1-0   ", 15));
        Assert.False(_waiting.Reached.IsCompleted);
        Assert.True(Take("r-1-1   ", 29));

        Assert.True(_waiting.Reached.IsCompleted);
        Assert.Equal(((10L, 15L), (20L, 29L)), (_log[0], _log[1]));
        Assert.Equal((default, 16L), (_log.Anomalies, _log.ReplyBytes));
    }

    [Theory]
    [InlineData("........")]
    [InlineData("r-1-0")]
    [InlineData("r-2-0   ")]
    [InlineData("r-1-x   ")]
    [InlineData("r-1-0  x")]
    public void Everything_else_belongs_to_the_stream(string message)
    {
        _log.SentAt(0, 10);

        Assert.False(Take(message, 15));
        Assert.Equal((default, 0L), (_log.Anomalies, _log.ReplyBytes));
    }

    [Fact]
    public void A_second_reply_and_one_to_no_request_and_one_that_was_overtaken_are_counted()
    {
        _log.SentAt(0, 10);
        _log.SentAt(1, 20);

        Assert.All(["r-1-1   ", "r-1-1   ", "r-1-0   ", "r-1-2   "], message => Assert.True(Take(message, 30)));

        Assert.Equal(new Anomalies(Duplicates: 1, Reorderings: 1, Unexpected: 1, Corrupted: 0), _log.Anomalies);
    }

    [Fact]
    public void A_client_that_gives_up_is_not_waited_for_and_keeps_what_came()
    {
        _log.SentAt(0, 10);
        Take("r-1-0   ", 15);

        _log.GiveUp();
        _log.GiveUp();

        Assert.True(_waiting.Reached.IsCompleted);
        Assert.Equal((null, null), _log[1]);
    }

    private bool Take(string message, long stamp) => _log.TryTake(Encoding.ASCII.GetBytes(message), message.Length, stamp);
}
