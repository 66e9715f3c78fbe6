using PubSubOverWs.DirectServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Relay;
using PubSubOverWs.Tests.Relay.Brokers;

namespace PubSubOverWs.Tests.DirectServer;

public sealed class DirectBrokerTests : BrokerContract
{
    private protected override Task<StartedBroker> StartAsync(Action<RelayOptions>? configure = null) =>
        Task.FromResult(new StartedBroker(RelayHarness.Direct(configure), DirectDelivery.MaxDeliveries));
}

public sealed class BufferedDirectBrokerTests : BrokerContract
{
    private protected override Task<StartedBroker> StartAsync(Action<RelayOptions>? configure = null) =>
        Task.FromResult(new StartedBroker(RelayHarness.Direct(configure, buffer: 1_000), DirectDelivery.MaxDeliveries)
        {
            KeepsInMemory = true,
        });
}
