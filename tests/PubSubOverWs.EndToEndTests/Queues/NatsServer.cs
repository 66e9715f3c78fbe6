using System.Diagnostics;
using PubSubOverWs.Queues;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>A NATS of Debian, with JetStream.</summary>
public class NatsServer : BrokerProcess
{
    private readonly string _program;

    public NatsServer()
        : this("nats-server", Needed.Nats)
    {
    }

    protected NatsServer(string program, Needed needed)
        : base("nats", needed) => _program = program;

    /// <summary>Of its configuration.</summary>
    protected virtual string JetStream => "";

    /// <summary>More of its configuration.</summary>
    protected virtual string More => "";

    public override IQueue Connect(Uri address) => new NatsQueue(
        new NatsOptions { Url = new Uri($"nats://{address.Authority}"), RequestTimeout = TimeSpan.FromSeconds(5) }, TimeProvider.System);

    protected override ProcessStartInfo Command()
    {
        var file = Path.Combine(Folder, "nats.conf");
        File.WriteAllText(file, $$"""
            host: 127.0.0.1
            port: {{Port}}
            jetstream { store_dir: "{{Folder}}", {{JetStream}} }
            {{More}}
            """);
        return new ProcessStartInfo(_program, ["-c", file]);
    }
}

/// <summary>A newer NATS that writes what it takes to its disk before it answers.</summary>
public sealed class NewNatsServer() : NatsServer(Needs.NewNats, Needed.NewNats)
{
    protected override string JetStream => "sync_interval: always";
}

/// <summary>
/// A NATS with users: <c>admin</c> may do all, <c>relay</c> what the documentation asks for, and <c>poor</c> not all of that.
/// </summary>
public sealed class NatsServerWithUsers : NatsServer
{
    public const string Queue = "orders";

    // As docs/reference/nats.md has them.
    private static readonly string[] Subjects =
    [
        "NAME", "NAME.*", "$JS.API.STREAM.INFO.NAME", "$JS.API.STREAM.CREATE.NAME", "$JS.API.CONSUMER.INFO.NAME.relay",
        "$JS.API.CONSUMER.CREATE.NAME.relay", "$JS.API.CONSUMER.MSG.NEXT.NAME.relay", "$JS.ACK.NAME.relay.>",
    ];

    private static readonly string[] Names = [Queue, $"{Queue}-dead", $"{Queue}-parked"];

    protected override string More => $$"""
        authorization { users: [
            { user: admin, password: right },
            { user: relay, password: right, permissions: { publish: [{{Rights}}], subscribe: ["_INBOX.>"] } },
            { user: poor, password: right, permissions: { publish: { allow: [{{Rights}}], deny: "$JS.ACK.>" }, subscribe: ["_INBOX.>"] } }
        ] }
        """;

    private static string Rights => string.Join(", ",
        from name in Names
        from subject in Subjects
        select $"\"{subject.Replace("NAME", name, StringComparison.Ordinal)}\"");
}
