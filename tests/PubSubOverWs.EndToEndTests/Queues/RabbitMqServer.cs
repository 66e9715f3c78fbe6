using System.Diagnostics;
using System.Globalization;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Queues;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>A RabbitMQ of one node.</summary>
public sealed class RabbitMqServer() : BrokerProcess("amqp", Needed.RabbitMq)
{
    // Erlang looks up the ports of its nodes in a program that would go on without them: this one ends with the others.
    private const string Script = """epmd -address 127.0.0.1 -port "$ERL_EPMD_PORT" & "$0"; kill $! """;

    private readonly int _names = FreePort.Find();
    private readonly int _nodes = FreePort.Find();

    public override IQueue Connect(Uri address) => Create(address);

    /// <summary>For a test that ends its clients itself.</summary>
    public RabbitMqQueue ConnectAsOwner() => Create(Address);

    /// <summary>Changes its users, rights and limits.</summary>
    public async Task ControlAsync(params string[] arguments)
    {
        var start = new ProcessStartInfo("/usr/lib/rabbitmq/bin/rabbitmqctl", arguments) { RedirectStandardError = true };
        Prepare(start);
        using var process = Process.Start(start)!;
        var errors = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, errors);
    }

    private static RabbitMqQueue Create(Uri address) => new(
        new RabbitMqOptions { Url = new Uri($"amqp://{address.Authority}"), RequestTimeout = TimeSpan.FromSeconds(5) },
        TimeProvider.System);

    protected override ProcessStartInfo Command()
    {
        var start = new ProcessStartInfo("sh", ["-c", Script, Needs.RabbitMq]);
        Prepare(start);
        return start;
    }

    private void Prepare(ProcessStartInfo start)
    {
        var settings = new Dictionary<string, string>
        {
            ["HOME"] = Folder,
            ["ERL_CRASH_DUMP"] = Path.Combine(Folder, "crash"),
            ["ERL_EPMD_ADDRESS"] = "127.0.0.1",
            ["ERL_EPMD_PORT"] = Text(_names),
            ["ERL_FLAGS"] = "-start_epmd false",
            ["RABBITMQ_NODENAME"] = "test@localhost",
            ["RABBITMQ_NODE_IP_ADDRESS"] = "127.0.0.1",
            ["RABBITMQ_NODE_PORT"] = Text(Port),
            ["RABBITMQ_DIST_PORT"] = Text(_nodes),
            ["RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS"] = "-kernel inet_dist_use_interface {127,0,0,1}",
            ["RABBITMQ_MNESIA_BASE"] = Folder,
            ["RABBITMQ_LOGS"] = "-",
            ["RABBITMQ_PID_FILE"] = Path.Combine(Folder, "pid"),
            // There are none.
            ["RABBITMQ_CONFIG_FILE"] = Path.Combine(Folder, "settings"),
            ["RABBITMQ_CONF_ENV_FILE"] = Path.Combine(Folder, "environment"),
            ["RABBITMQ_ENABLED_PLUGINS_FILE"] = Path.Combine(Folder, "plugins"),
        };
        foreach (var (name, value) in settings)
            start.Environment[name] = value;
    }

    private static string Text(int port) => port.ToString(CultureInfo.InvariantCulture);
}
