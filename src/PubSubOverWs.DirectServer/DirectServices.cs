using PubSubOverWs.Relay;

namespace PubSubOverWs.DirectServer;

/// <summary>Registers the broker of this server.</summary>
public static class DirectServices
{
    public static IServiceCollection AddDirectBroker(this IServiceCollection services) => services.AddSingleton<IBroker, DirectBroker>();
}
