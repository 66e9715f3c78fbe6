using Microsoft.Extensions.Options;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>Registers the broker of this server.</summary>
internal static class QueueServices
{
    private const string Section = "Queue";

    public static IServiceCollection AddQueueBroker(this IServiceCollection services, IConfiguration configuration)
    {
        SettingsSection.Add<SqsOptions>(services, configuration, "Sqs");
        Enum.TryParse<QueueKind>(configuration[$"{Section}:{nameof(QueueBrokerOptions.Kind)}"], ignoreCase: true, out var kind);
        AddQueue(services, configuration, kind);
        SettingsSection.Add<QueueBrokerOptions>(services, configuration, Section);
        // Checks do not go into nested sections by themselves.
        SettingsSection.Add<SendingOptions>(services, configuration, $"{Section}:{nameof(QueueBrokerOptions.Sending)}");
        SettingsSection.Add<SettleOptions>(services, configuration, $"{Section}:{nameof(QueueBrokerOptions.Settle)}");
        SettingsSection.Add<NodeOptions>(services, configuration, $"{Section}:{nameof(QueueBrokerOptions.Nodes)}");
        services.AddSingleton(provider =>
            SqsClient.Create(provider.GetRequiredService<IOptions<SqsOptions>>().Value, provider.GetRequiredService<TimeProvider>()));
        services.AddSingleton<ISns>(provider => new SnsOverHttp(
            provider.GetRequiredService<IOptions<SqsOptions>>().Value, provider.GetRequiredService<TimeProvider>(),
            provider.GetRequiredService<ISqs>().Traffic));
        QueueMemory.Add(services);
        services.AddSingleton(CreateBroker);
        services.AddSingleton<IBroker>(provider => provider.GetRequiredService<QueueBroker>());
        services.AddHostedService(provider => provider.GetRequiredService<QueueBroker>());
        services.AddSingleton<QueueReadiness>();
        services.AddHealthChecks().AddCheck<QueueReadiness>("queue", tags: [RelayServices.ReadyTag]);
        return services;
    }

    private static void AddQueue(IServiceCollection services, IConfiguration configuration, QueueKind kind)
    {
        switch (kind)
        {
            case QueueKind.Redis:
                Add<RedisOptions>((redis, time) => new RedisQueue(redis, time));
                break;
            case QueueKind.Nats:
                Add<NatsOptions>((nats, time) => new NatsQueue(nats, time));
                break;
            case QueueKind.RabbitMq:
                Add<RabbitMqOptions>((rabbit, time) => new RabbitMqQueue(rabbit, time));
                break;
            default:
                services.AddSingleton<IQueue>(provider => provider.GetRequiredService<ISqs>());
                break;
        }

        // Its section belongs to it only when it is chosen: otherwise such a section is of another program.
        void Add<T>(Func<T, TimeProvider, IQueue> create) where T : QueueServerOptions
        {
            SettingsSection.Add<T>(services, configuration, $"{kind}");
            services.AddSingleton(provider =>
            {
                var options = provider.GetRequiredService<IOptions<T>>().Value;
                if (options.PasswordFile.Length > 0)
                    options.Password = SecretFile.Read(
                        options.PasswordFile, $"password of {kind}:PasswordFile", min: 1, isToken: false);
                return create(options, provider.GetRequiredService<TimeProvider>());
            });
        }
    }

    private static QueueBroker CreateBroker(IServiceProvider services)
    {
        var options = services.GetRequiredService<IOptions<QueueBrokerOptions>>().Value;
        var log = services.GetRequiredService<ILogger<QueueBroker>>();
        return new QueueBroker(options, OpenAsync, services.GetRequiredService<IHostApplicationLifetime>(), log);

        Task<QueueServer> OpenAsync(CancellationToken cancellationToken)
        {
            // Not before: a client of SQS looks for the region, and the broker reports it when there is none.
            var time = services.GetRequiredService<TimeProvider>();
            var queue = new ObservedQueue(
                services.GetRequiredService<IQueue>(), ObservedQueue.SystemOf(options.Kind), services.GetRequiredService<RelayTelemetry>(),
                time);
            var subscriptions = services.GetRequiredService<Subscriptions>();
            var context = QueueContext.Create(
                queue, options, services.GetRequiredService<RelayMeter>(), time, services.GetRequiredService<AwakeTime>(), log);
            return options.Nodes.Enabled
                ? NodeServer.OpenAsync(
                    services.GetRequiredService<ISqs>(), services.GetRequiredService<ISns>(), services.GetRequiredService<NodeId>(),
                    subscriptions, context, cancellationToken)
                : SingleServer.OpenAsync(context, subscriptions.Deliver, cancellationToken);
        }
    }
}

/// <summary>The most memory that this server takes for its queue, in addition to the memory that both servers take.</summary>
internal static class QueueMemory
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
        Add(services, (sqs, _) => new MemoryPart("Queue:MaxInFlightBytes", QueueContext.ComputeMaxBytes(sqs)));
        Add(services, (sqs, relay) => new MemoryPart(
            "queue calls",
            (CopiesReceived * sqs.MaxInFlightBytes) + (sqs.Sending.MaxCalls * PerCall) + (CopiesSent * relay.SentBytesTotal)));
    }

    private static void Add(IServiceCollection services, Func<QueueBrokerOptions, RelayOptions, MemoryPart> part) =>
        services.AddSingleton(provider => part(
            provider.GetRequiredService<IOptions<QueueBrokerOptions>>().Value,
            provider.GetRequiredService<IOptions<RelayOptions>>().Value));
}
