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
        SettingsSection.Add<NodeOptions>(services, configuration, $"{Section}:{nameof(SqsBrokerOptions.Nodes)}");
        services.AddSingleton(provider =>
            SqsClient.Create(provider.GetRequiredService<IOptions<SqsOptions>>().Value, provider.GetRequiredService<TimeProvider>()));
        services.AddSingleton<ISns>(provider => new SnsOverHttp(
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
        var log = services.GetRequiredService<ILogger<SqsBroker>>();
        return new SqsBroker(options, OpenAsync, services.GetRequiredService<IHostApplicationLifetime>(), log);

        Task<QueueServer> OpenAsync(CancellationToken cancellationToken)
        {
            // Not before: it looks for the region, and the broker reports it when there is none.
            var sqs = services.GetRequiredService<ISqs>();
            var subscriptions = services.GetRequiredService<Subscriptions>();
            var context = QueueContext.Of(
                sqs, options, services.GetRequiredService<RelayMeter>(), services.GetRequiredService<TimeProvider>(),
                services.GetRequiredService<AwakeTime>(), log);
            return options.Nodes.Enabled
                ? NodeServer.OpenAsync(
                    sqs, services.GetRequiredService<ISns>(), services.GetRequiredService<NodeId>(), subscriptions, context,
                    cancellationToken)
                : SingleServer.OpenAsync(sqs, context, subscriptions.Deliver, cancellationToken);
        }
    }
}
