using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;

namespace PubSubOverWs.Relay;

/// <summary>Stands before the WebSocket middleware, so that the framework's WebSocket is built on a <see cref="CorkedStream"/>.</summary>
internal sealed class CorkedUpgrade(IHttpUpgradeFeature inner, IHttpRequestLifetimeFeature lifetime, IConnectionSocketFeature? connection)
    : IHttpUpgradeFeature, IHttpRequestLifetimeFeature
{
    /// <summary>The stream of the upgraded connection; null before the upgrade.</summary>
    public CorkedStream? Stream { get; private set; }

    /// <summary>That of a request which may become a WebSocket; null: it may not.</summary>
    public static CorkedUpgrade? Of(HttpContext context) => context.Features.Get<IHttpUpgradeFeature>() as CorkedUpgrade;

    public bool IsUpgradableRequest => inner.IsUpgradableRequest;

    public CancellationToken RequestAborted
    {
        get => lifetime.RequestAborted;
        set => lifetime.RequestAborted = value;
    }

    public async Task<Stream> UpgradeAsync() => Stream = new CorkedStream(await inner.UpgradeAsync(), connection?.Socket);

    /// <summary>
    /// The framework's WebSocket calls it by itself, too, right after the close frame that tells a client of its offence, and which would
    /// be lost: that frame stays the last word, unless the connection is cut here.
    /// </summary>
    public void Abort()
    {
        if (Stream is not { IsCloseSent: true, IsCut: false })
            lifetime.Abort();
    }

    /// <summary>The middleware; nothing changes for requests that are no upgrade.</summary>
    public static Task InvokeAsync(HttpContext context, RequestDelegate next)
    {
        var features = context.Features;
        if (features.Get<IHttpUpgradeFeature>() is { IsUpgradableRequest: true } upgrade)
        {
            var corked = new CorkedUpgrade(
                upgrade, features.GetRequiredFeature<IHttpRequestLifetimeFeature>(), features.Get<IConnectionSocketFeature>());
            features.Set<IHttpUpgradeFeature>(corked);
            features.Set<IHttpRequestLifetimeFeature>(corked);
        }
        return next(context);
    }
}
