using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class InFlightLimitTests
{
    private readonly TestQueue _test = new();
    private readonly List<Handout> _inFlight = [];

    public InFlightLimitTests()
    {
        var batch = Enumerable.Repeat(new NewMessage(TestQueue.Body("x")), SqsLimit.BatchEntries).ToArray();
        for (var sent = 0; sent <= SqsLimit.InFlight; sent += SqsLimit.BatchEntries)
            _test.Send(batch);
        while (_inFlight.Count < SqsLimit.InFlight)
            _inFlight.AddRange(_test.Receive());
    }

    [Fact]
    public async Task A_short_poll_over_the_limit_is_refused()
    {
        var refused = await Assert.ThrowsAsync<SqsErrorException>(
            () => _test.Queue.ReceiveAsync(1, TimeSpan.Zero, null, () => false, CancellationToken.None).AsTask());

        Assert.Equal(SqsError.OverLimit, refused.Error);
    }

    [Fact]
    public async Task A_long_poll_over_the_limit_waits_until_something_is_deleted()
    {
        var poll = _test.Poll();
        Assert.False(poll.IsCompleted);

        _test.Queue.Delete(_test.Handle(_inFlight[0]));

        Assert.Single(await poll);
    }
}
