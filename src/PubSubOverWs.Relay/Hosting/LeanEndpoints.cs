using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace PubSubOverWs.Relay;

/// <summary>Puts the <see cref="LeanFrontEnd"/> before HTTP, where the server listens.</summary>
internal static class LeanEndpoints
{
    // Read once by System.Net.Sockets/src/System/Net/Sockets/SocketAsyncEngine.Unix.cs of the runtime, before the first socket.
    private const string InlineCompletions = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    /// <summary>At an endpoint without TLS; at others TLS would come behind it, and if no front end comes behind that, HTTP does.</summary>
    /// <param name="behindTls">From <see cref="AddBehindTls"/>.</param>
    public static void Add(ListenOptions endpoint, IServiceProvider provider, HashSet<ListenOptions> behindTls) => endpoint.Use(next =>
        // What comes after the defaults of endpoints is known here. That an endpoint has TLS, only its name tells.
        $"{endpoint}".StartsWith("http://", StringComparison.Ordinal) ? Before(next, endpoint, provider)
            : behindTls.Contains(endpoint) ? next : connection => PooledTransport.RunAsync(connection, next));

    /// <summary>
    /// Behind TLS, at the endpoints that Kestrel's settings name. Those that choose a certificate by the name of the server (Sni) add TLS
    /// after all else, and so have no lean front end.
    /// </summary>
    /// <param name="behindTls">Gets those that have one, when Kestrel reads its settings.</param>
    public static void AddBehindTls(KestrelServerOptions kestrel, IServiceProvider provider, HashSet<ListenOptions> behindTls)
    {
        if (kestrel.ConfigurationLoader is not { } loader)
            return;
        foreach (var named in loader.Configuration.GetSection("Endpoints").GetChildren())
        {
            loader.Endpoint(named.Key, endpoint =>
            {
                if (!endpoint.IsHttps || endpoint.ConfigSection.GetSection("Sni").GetChildren().Any())
                    return;
                behindTls.Add(endpoint.ListenOptions);
                endpoint.ListenOptions.UseHttps(endpoint.HttpsOptions);
                endpoint.ListenOptions.Use(next => Before(next, endpoint.ListenOptions, provider));
            });
        }
    }

    /// <summary>
    /// Sessions run on the threads that are told of bytes, without a hop to another thread: with framing of our own that is most of what is
    /// gained, and no session ever blocks its thread. Must come before the first socket of this process.
    /// </summary>
    public static void CompleteInline() => Environment.SetEnvironmentVariable(InlineCompletions, "1");

    private static ConnectionDelegate Before(ConnectionDelegate next, ListenOptions endpoint, IServiceProvider provider) =>
        endpoint.Protocols.HasFlag(HttpProtocols.Http1)
            ? provider.GetRequiredService<LeanFrontEnd>().Before(next)
            : connection => PooledTransport.RunAsync(connection, next);
}
