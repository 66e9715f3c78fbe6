namespace PubSubOverWs.LoadTest.Experiments.WhichQueue;

/// <summary>A pubsub server on each queue, and a direct server, which has none.</summary>
public static class QueueArms
{
    /// <summary>The target of arms whose queue others wrote.</summary>
    public const string Broker = "broker";

    public const string Direct = Relays.Direct;

    public const string Sqs = "sqs";

    public const string Redis = "redis";

    public const string RedisEverySecond = "redis+everysec";

    public const string RedisDefault = "redis+default";

    public const string Nats = "nats";

    public const string NatsCurrent = "nats+current";

    public const string NatsAlways = "nats+current+always";

    public const string RabbitMq = "rabbitmq";

    public static IReadOnlyList<Arm> All { get; } =
    [
        Relays.Find(Direct)!,
        new(Sqs, Relays.PubSub, HasQueue: true) { About = "LocalSqs, or the SQS that the options name" },
        Of(Redis, "Redis Streams, each write on the disk before it is answered"),
        Of(RedisEverySecond, "Redis Streams, on the disk once a second"),
        Of(RedisDefault, "Redis Streams as the package has it: no append-only file"),
        Of(Nats, "NATS JetStream as the package has it"),
        Of(NatsCurrent, "the nats-server that the key natsServer names, by its defaults"),
        Of(NatsAlways, "the same with sync_interval: always"),
        Of(RabbitMq, "a quorum queue of RabbitMQ"),
    ];

    /// <summary>Each queue against direct, and each other queue against SQS.</summary>
    public static IReadOnlyList<Contrast> Contrasts { get; } =
    [
        .. All.Skip(1).Select(arm => new Contrast(Direct, arm.Name)),
        .. All.Skip(2).Select(arm => new Contrast(Sqs, arm.Name)),
    ];

    /// <summary>Those that need a nats-server besides that of the package.</summary>
    public static bool IsCurrent(string arm) => arm is NatsCurrent or NatsAlways;

    private static Arm Of(string name, string about) => new(name, Broker, HasQueue: true) { About = about };
}
