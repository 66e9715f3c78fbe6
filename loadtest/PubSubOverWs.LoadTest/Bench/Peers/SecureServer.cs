using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary>A server with TLS, and the tunnel by which the clients of the bench reach it.</summary>
internal sealed class SecureServer : IServerUnderLoad
{
    private readonly IServerUnderLoad _server;
    private readonly TlsTunnel _tunnel;

    private SecureServer(IServerUnderLoad server, TlsTunnel tunnel, ServerAccess access) =>
        (_server, _tunnel, Access) = (server, tunnel, access);

    public string Name => _server.Name;

    public Uri Address => _tunnel.Address;

    public ServerAccess Access { get; }

    public ProcessUse Use => _server.Use;

    /// <param name="files">Its certificate and user.</param>
    /// <param name="startAsync">Starts it with TLS on that port.</param>
    public static async Task<IServerUnderLoad> StartAsync(SecureFiles files, Func<int, Task<IServerUnderLoad>> startAsync)
    {
        var port = FreePort.Find();
        var tunnel = new TlsTunnel(port, files.Thumbprint);
        try
        {
            return new SecureServer(await startAsync(port), tunnel, files.Access);
        }
        catch
        {
            await tunnel.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await using (_server)
            await _tunnel.DisposeAsync();
    }
}
