using Microsoft.AspNetCore.Server.Kestrel.Core;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>A web server of this program without access control, for this machine only.</summary>
internal static class LoopbackServer
{
    private static readonly TimeSpan ShutdownTimeout = TimeSpan.FromSeconds(1);

    /// <summary>
    /// For pages of this process, on 127.0.0.1. Nothing of it can be configured: it takes no settings from files or the environment.
    /// </summary>
    /// <param name="port">0: any that is free.</param>
    public static WebApplication CreateForPages(int port, int mostConnections)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Limits.MaxConcurrentConnections = mostConnections;
            kestrel.Listen(IPAddress.Loopback, port);
        });
        builder.Services.AddRoutingCore();
        builder.Services.Configure<HostOptions>(host => host.ShutdownTimeout = ShutdownTimeout);
        builder.Services.AddSingleton<IHostLifetime, NoLifetime>();
        return builder.Build();
    }

    /// <summary>Makes the start throw <see cref="RefusalException"/> for any address but loopback, however it was configured.</summary>
    /// <param name="command">The command of this program, for the message.</param>
    /// <param name="endpoints">Sets up each address that passes; null: all are as by default.</param>
    public static void ListenOnLoopbackOnly(this WebApplicationBuilder builder, string command, Action<ListenOptions>? endpoints = null)
    {
        // The exception becomes one sentence, without a stack trace.
        builder.Logging.AddFilter("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.Critical);
        builder.Services.Configure<KestrelServerOptions>(kestrel => kestrel.ConfigureEndpointDefaults(endpoint =>
        {
            if (!Loopback.Has(endpoint.EndPoint))
            {
                throw new RefusalException(
                    $"{command} has no access control and listens on loopback only, not on {endpoint.EndPoint}: "
                        + "use --urls http://127.0.0.1:0.");
            }

            endpoints?.Invoke(endpoint);
        }));
    }

    /// <summary>Answers 403 unless the Host header names loopback: protects against DNS rebinding by pages in a browser.</summary>
    public static void UseLoopbackHost(this WebApplication app) => app.Use((context, next) =>
    {
        if (Loopback.Has(context.Request.Host))
            return next(context);
        context.Response.StatusCode = StatusCodes.Status403Forbidden;
        return context.Response.WriteAsync(
            "The Host header is not a loopback address: use http://127.0.0.1 with this port.", context.RequestAborted);
    });

    /// <summary>Sets what every answer of a page has: it is not kept, not taken for another type, and not shown by other sites.</summary>
    /// <param name="policy">What the page may load (Content-Security-Policy).</param>
    public static void SetPageHeaders(IHeaderDictionary headers, string policy)
    {
        headers.ContentSecurityPolicy = policy;
        headers.XContentTypeOptions = "nosniff";
        headers.CacheControl = "no-store";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
    }

    /// <summary>Answers with a file that is part of this program.</summary>
    public static RequestDelegate SendFile(string file, string type) => async context =>
    {
        await using var content = typeof(LoopbackServer).Assembly.GetManifestResourceStream(file)!;
        context.Response.ContentType = type;
        context.Response.ContentLength = content.Length;
        await content.CopyToAsync(context.Response.Body, context.RequestAborted);
    };

    // Ctrl-C is the program's.
    private sealed class NoLifetime : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
