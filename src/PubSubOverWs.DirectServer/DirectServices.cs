using Microsoft.Extensions.Options;
using PubSubOverWs.Relay;

namespace PubSubOverWs.DirectServer;

/// <summary>Registers the broker of this server.</summary>
internal static class DirectServices
{
    public static IServiceCollection AddDirectBroker(this IServiceCollection services, IConfiguration configuration)
    {
        SettingsSection.Add<DirectOptions>(services, configuration, "Direct");
        services.AddSingleton(provider => CreateMemoryPart(provider.GetRequiredService<IOptions<DirectOptions>>().Value));
        return services.AddSingleton<IBroker>(provider =>
        {
            var subscriptions = provider.GetRequiredService<Subscriptions>();
            var meter = provider.GetRequiredService<RelayMeter>();
            var options = provider.GetRequiredService<IOptions<DirectOptions>>().Value;
            return new DirectBroker(
                subscriptions, meter,
                options.Buffer > 0 ? new DirectBuffer(subscriptions, meter, options.Buffer, options.BufferBytes) : null);
        });
    }

    // With what a message takes in addition to its bytes.
    private static MemoryPart CreateMemoryPart(DirectOptions options) =>
        new("Direct:Buffer", options.Buffer > 0 ? options.BufferBytes + ((long)options.Buffer * MemoryPart.PerMessage) : 0);
}
