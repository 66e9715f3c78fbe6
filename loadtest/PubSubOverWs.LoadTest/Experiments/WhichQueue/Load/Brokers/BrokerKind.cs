using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Queues;

namespace PubSubOverWs.LoadTest.Experiments.WhichQueue.Load.Brokers;

/// <summary>A queue server that others wrote, with the settings of an arm.</summary>
/// <param name="Arm">Its name.</param>
/// <param name="Scheme">Of its address.</param>
/// <param name="Section">Of its settings in the pubsub server, which is also the kind of queue there.</param>
/// <param name="Keeps">What its settings mean for messages that it took, for run.json.</param>
/// <param name="Start">How it is started.</param>
internal sealed record BrokerKind(
    string Arm, string Install, string Program, IReadOnlyList<string> AskVersion, string Scheme, string Section, string Keeps,
    Func<BrokerPlace, BrokerStart> Start)
    : InstalledProgram(Install, Program, AskVersion)
{
    // Its own command for that leaves a process of Erlang behind.
    private const string RabbitMqVersion = "echo /usr/lib/rabbitmq/lib/rabbitmq_server-* | sed 's/-/ /g'";

    private const string NameAnother = "name the path of a nats-server with --nats-server";

    /// <summary>The user, and the password, of a server without settings; empty: it asks for none.</summary>
    public string User { get; init; } = "";

    /// <summary>That of an arm; null: the arm has none.</summary>
    public static BrokerKind? Of(Arm arm, WhichQueueScenario scenario) => arm.Name switch
    {
        QueueArms.Redis => Redis(arm, "each write is on the disk before it is answered", "yes", "always"),
        QueueArms.RedisEverySecond => Redis(arm, "writes go to the disk once a second", "yes", "everysec"),
        QueueArms.RedisDefault => Redis(arm, "no append-only file, a snapshot after minutes: the package's default", "no", "everysec"),
        QueueArms.Nats => Nats(arm, "nats-server", "apt-get install nats-server", isAlways: false),
        QueueArms.NatsCurrent => Nats(arm, scenario.NatsServer, NameAnother, isAlways: false),
        QueueArms.NatsAlways => Nats(arm, scenario.NatsServer, NameAnother, isAlways: true),
        QueueArms.RabbitMq => RabbitMq(arm),
        _ => null,
    };

    private static BrokerKind Redis(Arm arm, string keeps, string append, string when) => new(
        arm.Name, "apt-get install redis-server", "redis-server", ["--version"], "redis", nameof(Redis), keeps,
        place => new(
            [
                "--port", Invariant($"{place.Port}"), "--bind", "127.0.0.1", "--protected-mode", "no", "--dir", place.Data,
                "--appendonly", append, "--appendfsync", when,
            ]));

    private static BrokerKind Nats(Arm arm, string program, string install, bool isAlways) => new(
        arm.Name, install, program, ["--version"], "nats", nameof(Nats),
        isAlways ? "each write is on the disk before it is answered" : "written, and on the disk every 2 min: the default",
        place => new(["-c", place.File])
        {
            Configuration = Invariant($"host: 127.0.0.1\nport: {place.Port}\n")
                + $"jetstream {{ store_dir: \"{place.Data}\"{(isAlways ? ", sync_interval: always" : "")} }}\n",
        });

    // The command on the PATH insists on the package's user. Erlang looks up the ports of its nodes in a program that would go on without
    // them: this one ends with the others.
    private static BrokerKind RabbitMq(Arm arm) => new(
        arm.Name, "apt-get install rabbitmq-server", "sh", ["-c", RabbitMqVersion], "amqp", nameof(RabbitMq),
        "on the disk of a quorum of one before it is confirmed",
        place => new(["-c", """epmd -address 127.0.0.1 -port "$ERL_EPMD_PORT" & "$0"; kill $! """, "/usr/lib/rabbitmq/bin/rabbitmq-server"])
        {
            Environment =
            [
                // The secret of its nodes is written when it first starts, and not with its data.
                ("HOME", place.Folder), ("ERL_CRASH_DUMP", Path.Combine(place.Folder, "crash")),
                ("ERL_EPMD_ADDRESS", "127.0.0.1"), ("ERL_EPMD_PORT", Text(FreePort.Find())),
                ("ERL_FLAGS", "-start_epmd false"), ("RABBITMQ_NODENAME", "queue@localhost"), ("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1"),
                ("RABBITMQ_NODE_PORT", Text(place.Port)), ("RABBITMQ_DIST_PORT", Text(FreePort.Find())),
                ("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}"),
                ("RABBITMQ_MNESIA_BASE", place.Data), ("RABBITMQ_LOGS", "-"), ("RABBITMQ_PID_FILE", Path.Combine(place.Folder, "pid")),
                // There are none.
                ("RABBITMQ_CONFIG_FILE", place.File), ("RABBITMQ_CONF_ENV_FILE", Path.Combine(place.Folder, "environment")),
                ("RABBITMQ_ENABLED_PLUGINS_FILE", Path.Combine(place.Folder, "plugins")),
            ],
        })
    { User = "guest" };

    private static string Text(int port) => port.ToString(CultureInfo.InvariantCulture);
}

/// <summary>Where a queue server runs.</summary>
/// <param name="Port">On 127.0.0.1.</param>
/// <param name="Folder">Its own, for its configuration; in <c>data</c> is what it keeps.</param>
internal sealed record BrokerPlace(int Port, string Folder)
{
    public string Data => Path.Combine(Folder, "data");

    public string File => Path.Combine(Folder, "broker.conf");
}

/// <param name="Arguments">After the program.</param>
internal sealed record BrokerStart(IReadOnlyList<string> Arguments)
{
    /// <summary>Goes into <see cref="BrokerPlace.File"/>; null: it has none.</summary>
    public string? Configuration { get; init; }

    /// <summary>Variables of its environment.</summary>
    public IReadOnlyList<(string Name, string Value)> Environment { get; init; } = [];
}

/// <summary>Clients of queues, by the scheme of their address.</summary>
internal static class QueueClients
{
    /// <param name="isOurs">This run started it, and it lets everybody in.</param>
    public static IQueue Connect(Uri address, bool isOurs, TimeProvider time)
    {
        return address.Scheme switch
        {
            "redis" => new RedisQueue(
                new RedisOptions { Url = address, User = Setting("Redis__User"), Password = Setting("Redis__Password") }, time),
            "nats" => new NatsQueue(
                new NatsOptions { Url = address, User = Setting("Nats__User"), Password = Setting("Nats__Password") }, time),
            "amqp" => new RabbitMqQueue(
                new RabbitMqOptions
                {
                    Url = address,
                    User = Setting("RabbitMq__User") ?? "guest",
                    Password = Setting("RabbitMq__Password"),
                    VirtualHost = Setting("RabbitMq__VirtualHost") ?? "/",
                },
                time),
            "http" or "https" => QueueTarget.Embedded.Connect(address, time),
            _ => throw new ChildException($"There is no client here for the queue at {address}."),
        };

        // The pubsub server has it from the same variables.
        string? Setting(string name) => isOurs ? null : Environment.GetEnvironmentVariable(name);
    }
}
