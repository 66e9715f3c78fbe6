using Microsoft.Extensions.Logging.Abstractions;
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
        var leases = new Leases(time, options.VisibilityTimeout, options.MaxInFlight, new InFlightMemory(options.MaxInFlightBytes));
        using var dispatcher = new Dispatcher(
            _ => DeliverOutcome.NoSubscriber, elsewhere: null, leases, new FakeSettlement(), options, new QueueMeter(), new RelayMeter(),
            time, NullLogger.Instance);
        using var stopping = new CancellationTokenSource();
        var polling = new SqsPoller(sqs, urls, options, leases, dispatcher, time).RunAsync(stopping.Token);

        Assert.Equal([15, 15, 1], sqs.WaitTimes.Select(wait => wait.TotalSeconds));
        sqs.EndPolls();
        while (sqs.WaitTimes.Count < 6)
            await Task.Yield();
        Assert.Contains(1, sqs.WaitTimes.Skip(3).Select(wait => wait.TotalSeconds));
        await stopping.CancelAsync();
        while (!polling.IsCompleted)
        {
            sqs.EndPolls();
            await Task.Yield();
        }
        await polling;
    }
}
