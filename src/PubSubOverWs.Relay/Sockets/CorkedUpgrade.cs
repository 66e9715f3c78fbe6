using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;

namespace PubSubOverWs.Relay;

/// <summary>Stands before the WebSocket middleware, so that the framework's WebSocket is built on a <see cref="CorkedStream"/>.</summary>
internal sealed class CorkedUpgrade(IHttpUpgradeFeature inner, IConnectionSocketFeature? connection) : IHttpUpgradeFeature
{
    /// <summary>The stream of the upgraded connection; null before the upgrade.</summary>
    public CorkedStream? Stream { get; private set; }

    /// <summary>That of a request which may become a WebSocket; null: it may not.</summary>
    public static CorkedUpgrade? Of(HttpContext context) => context.Features.Get<IHttpUpgradeFeature>() as CorkedUpgrade;

    public bool IsUpgradableRequest => inner.IsUpgradableRequest;

    public async Task<Stream> UpgradeAsync() => Stream = new CorkedStream(await inner.UpgradeAsync(), connection?.Socket);

    /// <summary>The middleware; nothing changes for requests that are no upgrade.</summary>
    public static Task InvokeAsync(HttpContext context, RequestDelegate next)
    {
        if (context.Features.Get<IHttpUpgradeFeature>() is { IsUpgradableRequest: true } upgrade)
            context.Features.Set<IHttpUpgradeFeature>(
                new CorkedUpgrade(upgrade, context.Features.Get<IConnectionSocketFeature>()));
        return next(context);
    }
}
