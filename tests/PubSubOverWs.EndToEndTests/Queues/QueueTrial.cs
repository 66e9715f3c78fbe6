using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Queues;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>A server of queues for tests.</summary>
internal interface IQueueServer
{
    Uri Address { get; }

    /// <summary>A client of the server, perhaps by way of another address.</summary>
    IQueue Connect(Uri address);

    /// <summary>Kills the process of the server and starts it again, with the data that it left.</summary>
    Task RestartAsync();
}

/// <summary>A server of queues for one behaviour: clients of it, and a queue of which nobody else knows.</summary>
internal sealed class QueueTrial(IQueueServer server) : IAsyncDisposable
{
    private readonly string _name = $"trial-{Guid.NewGuid():N}";
    private readonly List<IQueue> _clients = [];
    private FaultProxy? _way;

    public IQueue Connect()
    {
        var client = server.Connect(_way?.Address ?? server.Address);
        _clients.Add(client);
        return client;
    }

    public ValueTask<QueueUrls> OpenAsync(IQueue client) => client.OpenAsync(_name, CancellationToken.None);

    public Task RestartAsync() => server.RestartAsync();

    /// <summary>Clients that connect from now on can be cut off.</summary>
    public async Task StandBetweenAsync() => _way = await FaultProxy.StartAsync(
        new Uri($"http://{server.Address.Authority}"), FaultProxyProcess.MaxConnections, new ChildOptions(), CancellationToken.None);

    public async Task BreakAsync()
    {
        await _way!.RefuseAsync(CancellationToken.None);
        await _way.CutAsync(share: 1, seed: 1, CancellationToken.None);
    }

    public Task MendAsync() => _way!.AcceptAsync(CancellationToken.None);

    public async ValueTask EndAsync(IQueue client)
    {
        _clients.Remove(client);
        if (client is IAsyncDisposable slow)
            await slow.DisposeAsync();
        else
            ((IDisposable)client).Dispose();
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var client in _clients.ToArray())
            await EndAsync(client);
        if (_way is not null)
            await _way.DisposeAsync();
    }
}
