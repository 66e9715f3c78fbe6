using Microsoft.AspNetCore.Server.Kestrel.Core;
using PubSubOverWs.Experiment;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.LoadTest.Processes;

/// <summary>A web server of this program: it lets everybody in who reaches it, and so only this machine may.</summary>
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
                    ExitCode.BadUsage,
                    $"{command} lets everybody in, and listens on loopback only, not on {endpoint.EndPoint}: say --urls "
                        + "http://127.0.0.1:0.");
            }
        }));
    }

    /// <summary>Answers 403 to who asks for another name than loopback's: a page in a browser, whose name is made to lead here.</summary>
    public static void UseLoopbackHost(this WebApplication app) => app.Use((context, next) =>
    {
        if (Loopback.Has(context.Request.Host))
            return next(context);
        context.Response.StatusCode = StatusCodes.Status403Forbidden;
        return context.Response.WriteAsync(
            "The header Host names no loopback address: ask at http://127.0.0.1 and this port.", context.RequestAborted);
    });
}
