using System.IO.Pipelines;
using System.Net;
using System.Threading.Channels;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PubSubOverWs.DirectServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Fuzz.Framing;

/// <summary>The direct server as it is, in Kestrel, except that its connections are in memory.</summary>
internal sealed class MemoryServer : IAsyncDisposable
{
    private readonly WebApplication _app;
    private readonly MemoryListener _listener;

    private MemoryServer(WebApplication app, MemoryListener listener) => (_app, _listener) = (app, listener);

    /// <summary>Bytes that it keeps of what clients sent.</summary>
    public long SentTaken => _app.Services.GetRequiredService<RelayContext>().SentBudget.Taken;

    public LeanFrontEnd LeanFrontEnd => _app.Services.GetRequiredService<LeanFrontEnd>();

    public RelayMeter Meter => _app.Services.GetRequiredService<RelayMeter>();

    /// <param name="frontEnd">That serves its WebSockets.</param>
    /// <param name="settings">Others than the defaults.</param>
    public static Task<MemoryServer> StartAsync(FrontEnd frontEnd, params (string Name, string Value)[] settings) =>
        StartAsync(frontEnd, TimeProvider.System, settings);

    /// <param name="frontEnd">That serves its WebSockets.</param>
    /// <param name="time">Of all but Kestrel itself.</param>
    /// <param name="settings">Others than the defaults.</param>
    public static async Task<MemoryServer> StartAsync(
        FrontEnd frontEnd, TimeProvider time, params (string Name, string Value)[] settings)
    {
        var listener = new MemoryListener();
        return new MemoryServer(await StartAppAsync(frontEnd, time, listener, settings), listener);
    }

    /// <param name="frontEnd">That serves its WebSockets.</param>
    /// <param name="time">Of all but Kestrel itself.</param>
    /// <param name="listener">In place of the sockets; null: a free port of loopback.</param>
    /// <param name="settings">Others than the defaults.</param>
    public static async Task<WebApplication> StartAppAsync(
        FrontEnd frontEnd, TimeProvider time, IConnectionListenerFactory? listener, params (string Name, string Value)[] settings)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Configuration.AddInMemoryCollection(
            settings.Append((Name: "Relay:FrontEnd", Value: $"{frontEnd}"))
                .Select(setting => KeyValuePair.Create(setting.Name, (string?)setting.Value)));
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton(time);
        builder.Services.AddRelay(builder.Configuration);
        builder.Services.AddSingleton<IBroker>(provider =>
            new DirectBroker(provider.GetRequiredService<Subscriptions>(), provider.GetRequiredService<RelayMeter>()));
        if (listener is not null)
            builder.Services.AddSingleton(listener);
        var app = builder.Build();
        app.UseRelay();
        app.MapRelay();
        await app.StartAsync();
        return app;
    }

    /// <summary>A client that has sent nothing yet.</summary>
    /// <inheritdoc cref="MemoryConnection.Create"/>
    public MemoryConnection Connect(PipeScheduler? reading = null, bool waits = false, bool lingers = false) =>
        _listener.Connect(reading, waits, lingers);

    public Task StopAsync() => _app.StopAsync();

    public async ValueTask DisposeAsync()
    {
        await _app.StopAsync();
        await _app.DisposeAsync();
    }
}

/// <summary>Gives Kestrel connections in memory, in place of sockets: a million of them need no port.</summary>
internal sealed class MemoryListener : IConnectionListenerFactory, IConnectionListener
{
    private readonly Channel<ConnectionContext> _connections = Channel.CreateUnbounded<ConnectionContext>();

    public EndPoint EndPoint { get; private set; } = new IPEndPoint(IPAddress.Loopback, 80);

    /// <summary>A client that has sent nothing yet.</summary>
    /// <inheritdoc cref="MemoryConnection.Create"/>
    public MemoryConnection Connect(PipeScheduler? reading = null, bool waits = false, bool lingers = false)
    {
        var connection = MemoryConnection.Create(reading, waits, lingers);
        Assert.True(_connections.Writer.TryWrite(connection));
        return connection;
    }

    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        EndPoint = endpoint;
        return new(this);
    }

    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default) =>
        await _connections.Reader.WaitToReadAsync(cancellationToken) && _connections.Reader.TryRead(out var connection) ? connection : null;

    public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        _connections.Writer.TryComplete();
        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
