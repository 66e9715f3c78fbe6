using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class SqsPollerTests
{
    [Fact]
    public async Task A_receive_that_takes_the_last_memory_waits_for_a_second_only_and_the_next_has_its_turn()
    {
        var time = new FakeTime();
        var sqs = new FakeSqs(time);
        var urls = await QueueUrls.OpenAsync(sqs, "q", CancellationToken.None);
        // Three receives fit into it.
        var options = new SqsBrokerOptions { PollLoops = 4, MaxInFlightBytes = 64 << 20 };
        var leases = new Leases(time, options.VisibilityTimeout, options.MaxInFlight, new InFlightBudget(options.MaxInFlightBytes));
        var flow = Sample.Flow(Sample.Server(time, options, sqs: sqs), leases, urls);
        using var dispatcher = new Dispatcher(flow, new FakeSettlement(), _ => DeliverOutcome.NoSubscriber);
        using var stopping = new CancellationTokenSource();
        var polling = new SqsPoller(flow, dispatcher).RunAsync(stopping.Token);

        Assert.Equal([15, 15, 1], sqs.WaitTimes.Select(wait => wait.TotalSeconds));
        sqs.EndPolls();
        await Waiting.UntilAsync(() => sqs.WaitTimes.Count >= 6);
        Assert.Contains(1, sqs.WaitTimes.Skip(3).Select(wait => wait.TotalSeconds));
        await stopping.CancelAsync();
        await polling.WhileAsync(() => sqs.EndPolls());
    }
}
