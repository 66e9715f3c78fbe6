using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load.Feed;

/// <summary>
/// HTTP/1.1 and HTTP/2 at one address, in the clear and without a negotiation, so that both go through the same proxies. A client that
/// means HTTP/2 begins with its preface (RFC 9113, 3.4), which no request of HTTP/1.1 begins with. Kestrel tells them apart in the TLS
/// handshake only: here such a connection is handed to an endpoint that knows HTTP/2 alone.
/// </summary>
internal sealed class BothVersions
{
    private const int Enough = 3;

    private ConnectionDelegate? _http2;

    /// <summary>The application that serves HTTP/2; it must have started when the first client comes.</summary>
    public WebApplication Http2()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.AddChildMode([]);
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        builder.WebHost.UseUrls("http://127.0.0.1:0").ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.ConfigureEndpointDefaults(endpoint =>
            {
                endpoint.Protocols = HttpProtocols.Http2;
                endpoint.Use(serve => _http2 = serve);
            });
        });
        return builder.Build();
    }

    /// <summary>Has an endpoint of HTTP/1.1 serve HTTP/2 as well.</summary>
    public void Take(ListenOptions endpoint) => endpoint.Use(serve => async connection =>
    {
        bool isHttp2;
        try
        {
            var begun = await connection.Transport.Input.ReadAtLeastAsync(Enough, connection.ConnectionClosed);
            isHttp2 = begun.Buffer.Length >= Enough && begun.Buffer.FirstSpan.StartsWith("PRI"u8);
            connection.Transport.Input.AdvanceTo(begun.Buffer.Start);
        }
        catch (Exception left) when (left is OperationCanceledException or IOException)
        {
            return;
        }

        await (isHttp2 ? _http2! : serve)(connection);
    });
}
