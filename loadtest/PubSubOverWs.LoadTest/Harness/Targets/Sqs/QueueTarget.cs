using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets.Drain;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Targets.Sqs;

/// <summary>
/// The queue of a run: <see cref="EmbeddedTarget"/>, <see cref="EndpointTarget"/> or <see cref="AwsTarget"/>. None is implied by the
/// absence of another.
/// </summary>
public abstract record QueueTarget
{
    /// <summary>The option for <see cref="SqsClient"/>.</summary>
    public const string ClientOption = "--sqs-client";

    private protected QueueTarget()
    {
    }

    /// <summary>The default.</summary>
    public static QueueTarget Embedded { get; } = new EmbeddedTarget();

    /// <summary>The client of the pubsub server: the same for every queue, so that distance and client are not confounded.</summary>
    public SqsClientKind SqsClient { get; init; } = new SqsOptions().Client;

    /// <summary>For messages: <c>LocalSqs</c>, <c>the queue at ADDRESS</c>, <c>Amazon SQS in REGION</c>.</summary>
    public abstract string Name { get; }

    /// <summary>The option that named it; null: none did.</summary>
    public abstract string? NamedBy { get; }

    /// <summary>How often it must be found empty.</summary>
    public abstract DrainLooks Looks { get; }

    /// <summary>How long a poll of the pubsub server waits: it decides what an idle queue costs.</summary>
    public abstract TimeSpan WaitTime { get; }

    /// <summary>The command of a pubsub server that uses it.</summary>
    /// <param name="queue">The name of the queue.</param>
    /// <param name="localSqs">The address of the embedded queue; null: this run has none.</param>
    public ChildCommand Server(string queue, Uri? localSqs)
    {
        var server = On(queue, localSqs);
        return server with { Arguments = [.. server.Arguments, "--Sqs:Client", SqsClient.ToString()] };
    }

    /// <summary>The settings of <see cref="Server"/> for run.json, with secrets masked.</summary>
    public abstract IEnumerable<(string Name, string Value)> ServerSettings { get; }

    /// <summary>The options that named it, for run.json, with secrets masked.</summary>
    public abstract IEnumerable<(string Name, string Value)> Options { get; }

    /// <summary>A client for the run itself, whichever client the server uses.</summary>
    /// <param name="localSqs">The address of the embedded queue; null: this run has none.</param>
    /// <exception cref="SqsException">The location of the queue is incomplete.</exception>
    public SqsOverHttp Connect(Uri? localSqs, TimeProvider time) => new(Settings(localSqs), time);

    /// <summary>A client for the topics.</summary>
    /// <inheritdoc cref="Connect"/>
    public SnsOverHttp ConnectTopics(Uri? localSqs, TimeProvider time) => new(Settings(localSqs), time);

    private protected abstract ChildCommand On(string queue, Uri? localSqs);

    private protected abstract SqsOptions Client(Uri? localSqs);

    private SqsOptions Settings(Uri? localSqs)
    {
        var options = Client(localSqs);
        options.MaxAttempts = 3;
        return options;
    }
}

/// <summary>The programs on both sides of a queue.</summary>
public static class SqsPrograms
{
    /// <summary>The server that relays through a queue.</summary>
    public static ServerProgram PubSub { get; } = new("pubsub", "PubSubServer");

    /// <summary>The embedded queue.</summary>
    public static ServerProgram LocalSqs { get; } = new("localsqs", "LocalSqs", "/health");

    /// <summary>The embedded queue with a simulated latency.</summary>
    /// <param name="seed">Of the delays; each block draws others.</param>
    public static ChildCommand LocalSqsAt(QueueLatency latency, long seed) => !latency.IsSimulated
        ? LocalSqs.Command()
        : LocalSqs.Command(
            "--LocalSqs:DelayP50", $"{latency.P50:c}", "--LocalSqs:DelayP99", $"{latency.P99:c}",
            "--LocalSqs:Seed", unchecked((int)seed).ToString(CultureInfo.InvariantCulture));
}
