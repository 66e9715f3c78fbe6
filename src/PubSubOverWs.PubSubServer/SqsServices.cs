using Microsoft.Extensions.Options;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>Registers the broker of this server.</summary>
internal static class SqsServices
{
    private const string Section = "Sqs";

    public static IServiceCollection AddSqsBroker(this IServiceCollection services, IConfiguration configuration)
    {
        SettingsSection.Add<SqsOptions>(services, configuration, Section);
        SettingsSection.Add<SqsBrokerOptions>(services, configuration, Section);
        // Checks do not go into nested sections by themselves.
        SettingsSection.Add<SendingOptions>(services, configuration, $"{Section}:{nameof(SqsBrokerOptions.Sending)}");
        SettingsSection.Add<SettleOptions>(services, configuration, $"{Section}:{nameof(SqsBrokerOptions.Settle)}");
        services.AddSingleton(provider =>
            SqsClient.Create(provider.GetRequiredService<IOptions<SqsOptions>>().Value, provider.GetRequiredService<TimeProvider>()));
        SettingsSection.Add<NodeOptions>(services, configuration, $"{Section}:{nameof(SqsBrokerOptions.Nodes)}");
        services.AddSingleton<ISns>(provider =>
            new SnsOverHttp(
            provider.GetRequiredService<IOptions<SqsOptions>>().Value, provider.GetRequiredService<TimeProvider>(),
            provider.GetRequiredService<ISqs>().Traffic));
        SqsMemory.Add(services);
        services.AddSingleton(CreateBroker);
        services.AddSingleton<IBroker>(provider => provider.GetRequiredService<SqsBroker>());
        services.AddHostedService(provider => provider.GetRequiredService<SqsBroker>());
        services.AddSingleton<QueueReadiness>();
        services.AddHealthChecks().AddCheck<QueueReadiness>("queue", tags: [RelayServices.ReadyTag]);
        return services;
    }

    private static SqsBroker CreateBroker(IServiceProvider services)
    {
        var options = services.GetRequiredService<IOptions<SqsBrokerOptions>>().Value;
        var subscriptions = services.GetRequiredService<Subscriptions>();
        var meter = services.GetRequiredService<RelayMeter>();
        var time = services.GetRequiredService<TimeProvider>();
        var application = services.GetRequiredService<IHostApplicationLifetime>();
        var log = services.GetRequiredService<ILogger<SqsBroker>>();
        return options.Nodes.Enabled
            ? new NodeBroker(services, options, subscriptions, meter, time, services.GetRequiredService<NodeId>(), application, log)
            : new SqsBroker(services, options, subscriptions.Deliver, meter, time, application, log);
    }
}
