using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Diagnostics.HealthChecks;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;

namespace PubSubOverWs.Relay;

/// <summary>Puts the relay into a server: its services, and its addresses.</summary>
public static class RelayServices
{
    /// <summary>The tag of the health checks that <c>/health/ready</c> asks.</summary>
    public const string ReadyTag = "ready";

    /// <summary>Everything but the broker, which the server registers as <see cref="IBroker"/>.</summary>
    public static IServiceCollection AddRelay(this IServiceCollection services, IConfiguration configuration)
    {
        SettingsSection.Add<RelayOptions>(services, configuration, "Relay");
        // Checks do not go into nested sections by themselves.
        SettingsSection.Add<DeliveryOptions>(services, configuration, $"Relay:{nameof(RelayOptions.Delivery)}");
        SettingsSection.Add<AccessOptions>(services, configuration, "Access");
        services.TryAddSingleton(TimeProvider.System);
        services.AddSingleton<AwakeTime>();
        services.AddSingleton<Gate>();
        services.AddSingleton<RelayMeter>();
        services.AddMetrics();
        services.AddSingleton<RelayTelemetry>();
        TelemetryExport.Add(services, configuration);
        services.AddSingleton<DeliveryStep>();
        services.AddSingleton(provider => new Subscriptions(
            provider.GetRequiredService<DeliveryStep>(), provider.GetRequiredService<RelayTelemetry>()));
        services.AddSingleton<RelayContext>();
        services.AddSingleton<NodeId>();
        services.AddSingleton<Connections>();
        RelayMemory.Add(services);
        services.AddSingleton<MemoryTotal>();
        services.AddSingleton<WebSocketEndpoint>();
        services.AddSingleton<LeanFrontEnd>();
        services.AddSingleton<StatsEndpoint>();
        services.AddHostedService<SessionClock>();
        services.AddHostedService<ConnectionsShutdown>();
        services.AddHealthChecks().AddCheck<StoppingReadiness>("stopping", tags: [ReadyTag]);
        services.AddOptions<KestrelServerOptions>().Configure<IServiceProvider>(SetUp);
        services.AddSingleton<IConnectionListenerFactory, LeanTransport>();
        services.AddOptions<SocketTransportOptions>().Configure<IOptions<RelayOptions>>(SetUp);
        return services;
    }

    private static void SetUp(KestrelServerOptions kestrel, IServiceProvider provider)
    {
        var relay = Readable(provider.GetRequiredService<IOptions<RelayOptions>>());
        kestrel.Limits.MaxConcurrentConnections = relay.MaxHttpConnections > 0 ? relay.MaxHttpConnections : null;
        kestrel.Limits.RequestHeadersTimeout = relay.HandshakeTimeout;
        // Until the first byte, too, and between requests; not while a WebSocket is open, which is a request under way.
        kestrel.Limits.KeepAliveTimeout = kestrel.Limits.RequestHeadersTimeout;
        var behindTls = new HashSet<ListenOptions>();
        var closing = new LingeringClose(relay.CloseTimeout, provider.GetRequiredService<TimeProvider>());
        kestrel.ConfigureEndpointDefaults(endpoint =>
        {
            // WebSockets over HTTP/2, which Kestrel would offer beside TLS, have no stream that can be corked.
            endpoint.Protocols = HttpProtocols.Http1;
            provider.GetRequiredService<Gate>().CheckListen(endpoint.EndPoint);
            if (relay.FrontEnd == FrontEnd.Lean)
                LeanEndpoints.Add(endpoint, provider, behindTls);
            else
                endpoint.Use(next => OpenTransport.Before(next, closing));
        });
        if (relay.FrontEnd == FrontEnd.Lean)
            LeanEndpoints.AddBehindTls(kestrel, provider, behindTls);
    }

    private static void SetUp(SocketTransportOptions transport, IOptions<RelayOptions> relay)
    {
        transport.Backlog = Readable(relay).Backlog;
        // Without it a connection whose socket is not read has 1 MiB of its client's data in memory.
        transport.MaxReadBufferSize = RelayMemory.ReadBuffer;
        transport.MaxWriteBufferSize = RelayMemory.WriteBuffer;
        transport.UnsafePreferInlineScheduling = Readable(relay).FrontEnd == FrontEnd.Lean;
    }

    // Kestrel is made with the application, before StartChecks can say in a sentence which setting is wrong.
    private static RelayOptions Readable(IOptions<RelayOptions> relay)
    {
        try
        {
            return relay.Value;
        }
        catch (Exception wrong) when (wrong is OptionsValidationException or InvalidOperationException)
        {
            return new RelayOptions();
        }
    }

    /// <summary>
    /// Clients' addresses as trusted proxies tell them; WebSockets, on a connection that can send many frames in one write: <c>/ws</c> and
    /// <c>/raw</c>.
    /// </summary>
    public static IApplicationBuilder UseRelay(this IApplicationBuilder app) =>
        app.Use(next => app.ApplicationServices.GetRequiredService<Gate>().Proxies.Before(next))
            .Use(CorkedUpgrade.InvokeAsync)
            .UseWebSockets()
            .Use(next => app.ApplicationServices.GetRequiredService<WebSocketEndpoint>().Before(next))
            // After them: it is not asked for their addresses.
            .UseRouting();

    /// <summary>
    /// The page at <c>/</c>; <c>/stats</c>, <c>/health/live</c> and <c>/health/ready</c>, which says in a sentence why it is not, to those
    /// that may know; <c>/health</c> is the same.
    /// </summary>
    public static void MapRelay(this WebApplication app)
    {
        PageFiles.Map(app);
        app.MapGet("/stats", (StatsEndpoint stats, HttpContext context) => stats.Get(context));
        app.MapHealthChecks("/health/live", new HealthCheckOptions { Predicate = _ => false });
        var ready = new HealthCheckOptions
        {
            Predicate = check => check.Tags.Contains(ReadyTag),
            ResponseWriter = (context, report) => context.Response.WriteAsync(
                context.RequestServices.GetRequiredService<Gate>().MayKnowWhy(context.Request) ? Describe(report) : $"{report.Status}"),
        };
        app.MapHealthChecks("/health/ready", ready);
        app.MapHealthChecks("/health", ready);
    }

    private static string Describe(HealthReport report) => report.Status == HealthStatus.Healthy
        ? $"{report.Status}"
        : string.Join('\n', report.Entries.Values.Select(check => check.Description ?? check.Exception?.Message).OfType<string>());
}

/// <summary>The most memory of connections, and of the parts that they share.</summary>
internal static class RelayMemory
{
    /// <summary>Bytes of a client that wait for the session to read them.</summary>
    public const int ReadBuffer = 64 * 1024;

    /// <summary>Bytes that wait for the operating system to take them; one more write may wait behind them.</summary>
    public const int WriteBuffer = 64 * 1024;

    // A message that waits, and three copies while it is written: encoded, in one write with others, and in the transport.
    private const int CopiesWritten = 4;

    // Small messages of one write, in arrays of twice that.
    private const int WriteOfSmall = (2 * 2 * FrameBatch.EnoughBytes) + FrameBatch.EnoughBytes;

    // An idle connection, measured (run peers), with the session's own objects.
    private const int Idle = 24 * 1024;

    // Of outbox, unacknowledged and sent each.
    private const int Owns = 3 * MemoryBudget.Own;

    public static void Add(IServiceCollection services)
    {
        Add(services, options => new MemoryPart(
            "outboxes", CopiesWritten * options.OutboxBytesTotal, WriteBuffer + WriteOfSmall + Outbox.MaxAnswers));
        Add(services, options => new MemoryPart("unacknowledged", options.UnacknowledgedBytesTotal));
        Add(services, options => new MemoryPart("sent", options.SentBytesTotal, ReadBuffer + (sizeof(char) * options.MaxHeaderBytes)));
        Add(services, options => new MemoryPart("topic backlogs", options.TopicBacklogBytesTotal));
        Add(services, _ => new MemoryPart("connections", 0, Idle + Owns));
    }

    private static void Add(IServiceCollection services, Func<RelayOptions, MemoryPart> part) =>
        services.AddSingleton(provider => part(provider.GetRequiredService<IOptions<RelayOptions>>().Value));
}
