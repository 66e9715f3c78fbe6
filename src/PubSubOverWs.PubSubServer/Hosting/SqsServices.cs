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
            var context = QueueContext.Create(
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

/// <summary>The most memory that this server takes for its queue, in addition to the memory that both servers take.</summary>
internal static class SqsMemory
{
    // The messages of one call while it is made: their bytes, the JSON text, and the objects made of it.
    private const long PerCall = 4 << 20;

    // As JSON, and escaped once more in the call: in addition to the message itself, which counts as sent.
    private const int CopiesSent = 2;

    // A receive holds its bytes as well, and one envelope that is read before it counts: together no more than is reserved for it, within
    // the total.
    private const int CopiesReceived = 1;

    public static void Add(IServiceCollection services)
    {
        // Includes messages that are held, wait out a NACK, or are settled and not yet deleted.
        Add(services, (sqs, _) => new MemoryPart("Sqs:MaxInFlightBytes", QueueContext.ComputeMaxBytes(sqs)));
        Add(services, (sqs, relay) => new MemoryPart(
            "Sqs calls",
            (CopiesReceived * sqs.MaxInFlightBytes) + (sqs.Sending.MaxCalls * PerCall) + (CopiesSent * relay.SentBytesTotal)));
    }

    private static void Add(IServiceCollection services, Func<SqsBrokerOptions, RelayOptions, MemoryPart> part) =>
        services.AddSingleton(provider => part(
            provider.GetRequiredService<IOptions<SqsBrokerOptions>>().Value, provider.GetRequiredService<IOptions<RelayOptions>>().Value));
}
