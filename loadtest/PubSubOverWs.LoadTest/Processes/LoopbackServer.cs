using Microsoft.AspNetCore.Server.Kestrel.Core;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.LoadTest.Processes;

/// <summary>A web server of this program without access control: only this machine may reach it.</summary>
internal static class LoopbackServer
{
    /// <summary>Refuses every address but loopback before it is bound, in whichever way it was configured.</summary>
    /// <param name="command">Which this program was called with.</param>
    /// <remarks>The start then throws <see cref="RefusalException"/>.</remarks>
    public static void ListenOnLoopbackOnly(this WebApplicationBuilder builder, string command)
    {
        // It is said in a sentence, without a stack trace.
        builder.Logging.AddFilter("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.Critical);
        builder.Services.Configure<KestrelServerOptions>(kestrel => kestrel.ConfigureEndpointDefaults(endpoint =>
        {
            if (!Loopback.Has(endpoint.EndPoint))
            {
                throw new RefusalException(
                    $"{command} lets everybody in, and listens on loopback only, not on {endpoint.EndPoint}: use --urls "
                        + "http://127.0.0.1:0.");
            }
        }));
    }

    /// <summary>Answers 403 unless the Host header names loopback: protects against DNS rebinding by pages in a browser.</summary>
    public static void UseLoopbackHost(this WebApplication app) => app.Use((context, next) =>
    {
        if (Loopback.Has(context.Request.Host))
            return next(context);
        context.Response.StatusCode = StatusCodes.Status403Forbidden;
        return context.Response.WriteAsync(
            "The header Host names no loopback address: ask at http://127.0.0.1 and this port.", context.RequestAborted);
    });
}
