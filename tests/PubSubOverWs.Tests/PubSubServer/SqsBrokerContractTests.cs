using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.LocalSqs;
using PubSubOverWs.Tests.Relay;
using PubSubOverWs.Tests.Relay.Brokers;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>Over LocalSqs in this process: each test has a queue of its own.</summary>
public sealed class SqsBrokerContractTests(LocalSqsHost queues) : BrokerContract, IClassFixture<LocalSqsHost>
{
    private static int _queues;

    private protected override async Task<StartedBroker> StartAsync(Action<RelayOptions>? configure = null)
    {
        // With few deliveries no lease runs out while refused messages rest.
        var options = new SqsBrokerOptions
        {
            Queue = $"contract-{Interlocked.Increment(ref _queues)}",
            PollLoops = 1,
            MaxDeliveries = 4,
            Settle = { Linger = TimeSpan.Zero },
        };
        var server = await CrashingServer.StartAsync(queues, options, configure);
        return new StartedBroker(server.Relay, options.MaxDeliveries)
        {
            PassRest = () => queues.Time.Advance(TimeSpan.FromSeconds(1)),
            RestAsync = () => UntilEmptyAsync(server.QueueUrl),
            EndAsync = server.CrashAsync,
        };
    }

    private async Task UntilEmptyAsync(string url)
    {
        using var patience = new CancellationTokenSource(Waiting.Limit);
        while (await queues.Sqs.GetQueueAttributesAsync(url, patience.Token) is not { Visible: 0, InFlight: 0 })
            await Task.Yield();
    }
}
