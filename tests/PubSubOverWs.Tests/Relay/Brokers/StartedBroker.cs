using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Brokers;

/// <summary>A relay with its broker, to be held against <see cref="BrokerContract"/>.</summary>
/// <param name="server">The relay.</param>
/// <param name="mostDeliveries">After so many a message that is always refused ends.</param>
internal sealed class StartedBroker(RelayHarness server, int mostDeliveries) : IAsyncDisposable
{
    private bool _hasStopped;

    public RelayHarness Server => server;

    public IBroker Broker => server.Broker;

    public int MostDeliveries => mostDeliveries;

    /// <summary>Messages without a taker wait in this process alone.</summary>
    public bool KeepsInMemory { get; init; }

    /// <summary>Lets the time pass after which what was refused is offered again.</summary>
    public Action PassRest { get; init; } = () => { };

    /// <summary>Completes when nothing is left of what was settled.</summary>
    public Func<Task> RestAsync { get; init; } = () => Task.CompletedTask;

    /// <summary>Ends the relay and its broker.</summary>
    public Func<Task> EndAsync { get; init; } = () => server.DisposeAsync().AsTask();

    /// <summary>Stops the server as its host does, and starts the next with what it left. Null: it leaves nothing.</summary>
    public Func<Task<StartedBroker?>> StopAsync { get; init; } = async () =>
    {
        await server.Shutdown.StoppingAsync(CancellationToken.None).Patiently();
        await server.DisposeAsync();
        return null;
    };

    /// <summary>As <see cref="StopAsync"/>; this one is then at its end.</summary>
    public Task<StartedBroker?> NextAsync()
    {
        _hasStopped = true;
        return StopAsync();
    }

    public async ValueTask DisposeAsync()
    {
        if (!_hasStopped)
            await EndAsync();
    }
}
