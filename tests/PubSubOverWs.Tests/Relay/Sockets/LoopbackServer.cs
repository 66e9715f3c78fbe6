using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Fuzz.Framing;
using PubSubOverWs.Tests.Relay.Transport;

namespace PubSubOverWs.Tests.Relay.Sockets;

/// <summary>
/// The direct server as it is, on a free port of loopback: what is said of sockets is tried over the sockets of the system.
/// </summary>
internal sealed class LoopbackServer : IAsyncDisposable
{
    private readonly WebApplication _app;

    private LoopbackServer(WebApplication app) => _app = app;

    /// <summary>Bytes that it keeps of what clients sent.</summary>
    public long SentTaken => _app.Services.GetRequiredService<RelayContext>().SentBudget.Taken;

    public RelayMeter Meter => _app.Services.GetRequiredService<RelayMeter>();

    /// <inheritdoc cref="MemoryServer.StartAppAsync"/>
    public static Task<LoopbackServer> StartAsync(FrontEnd frontEnd, params (string Name, string Value)[] settings) =>
        StartAsync(frontEnd, TimeProvider.System, settings);

    /// <inheritdoc cref="MemoryServer.StartAppAsync"/>
    public static async Task<LoopbackServer> StartAsync(
        FrontEnd frontEnd, TimeProvider time, params (string Name, string Value)[] settings) =>
        new(await MemoryServer.StartAppAsync(frontEnd, time, listener: null, settings));

    /// <summary>A client that has sent nothing yet.</summary>
    public async Task<LoopbackClient> ConnectAsync() =>
        new(await SocketPair.ClientOfAsync(new IPEndPoint(IPAddress.Loopback, new Uri(_app.Urls.Single()).Port)));

    /// <summary>A client whose handshake was answered.</summary>
    /// <param name="path">That it asked for.</param>
    /// <param name="received">Gets what came behind the answer.</param>
    public async Task<LoopbackClient> OpenAsync(string path, List<byte> received)
    {
        var client = await ConnectAsync();
        await client.SendAsync(LoopbackClient.Handshake(path));
        var head = await client.ReadHeadAsync(received);
        Assert.StartsWith("HTTP/1.1 101 ", head, StringComparison.Ordinal);
        return client;
    }

    public async ValueTask DisposeAsync()
    {
        await _app.StopAsync();
        await _app.DisposeAsync();
    }
}
