using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.LocalSqs;
using PubSubOverWs.Tests.Relay.Brokers;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>Over LocalSqs in this process: each test has a queue of its own.</summary>
public sealed class SqsBrokerContractTests(LocalSqsHost queues) : BrokerContract, IClassFixture<LocalSqsHost>
{
    private static int _queues;

    private protected override Task<StartedBroker> StartAsync(Action<RelayOptions>? configure = null) =>
        // With few deliveries no lease runs out while refused messages rest.
        StartAsync(
            new SqsBrokerOptions
            {
                Queue = $"contract-{Interlocked.Increment(ref _queues)}",
                PollLoops = 1,
                MaxDeliveries = 4,
                Settle = { Linger = TimeSpan.Zero },
            },
            configure);

    private async Task<StartedBroker> StartAsync(SqsBrokerOptions options, Action<RelayOptions>? configure)
    {
        var server = await CrashingServer.StartAsync(queues, options, configure);
        return new StartedBroker(server.Relay, options.MaxDeliveries)
        {
            PassRest = () => queues.Time.Advance(TimeSpan.FromSeconds(1)),
            RestAsync = () => queues.UntilAsync(server.QueueUrl, queue => queue is { Visible: 0, InFlight: 0 }),
            EndAsync = server.CrashAsync,
            StopAsync = async () =>
            {
                await server.StopAsync();
                return await StartAsync(options, configure);
            },
        };
    }
}
