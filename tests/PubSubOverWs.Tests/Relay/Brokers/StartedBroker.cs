using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Brokers;

/// <summary>A relay with its broker, to be held against <see cref="BrokerContract"/>.</summary>
/// <param name="server">The relay.</param>
/// <param name="mostDeliveries">After so many a message that is always refused ends.</param>
internal sealed class StartedBroker(RelayHarness server, int mostDeliveries) : IAsyncDisposable
{
    public RelayHarness Server => server;

    public IBroker Broker => server.Broker;

    public int MostDeliveries => mostDeliveries;

    /// <summary>Lets the time pass after which what was refused is offered again.</summary>
    public Action PassRest { get; init; } = () => { };

    /// <summary>Completes when nothing is left of what was settled.</summary>
    public Func<Task> RestAsync { get; init; } = () => Task.CompletedTask;

    /// <summary>Ends the relay and its broker.</summary>
    public Func<Task> EndAsync { get; init; } = () => server.DisposeAsync().AsTask();

    public async ValueTask DisposeAsync() => await EndAsync();
}
