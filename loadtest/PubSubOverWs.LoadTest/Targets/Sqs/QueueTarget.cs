using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>
/// Which queue a run uses: <see cref="EmbeddedTarget"/>, <see cref="EndpointTarget"/> or <see cref="AwsTarget"/>. Each is asked for by
/// name, and none is the lack of another.
/// </summary>
public abstract record QueueTarget
{
    /// <summary>The option that says by what the pubsub server calls it.</summary>
    public const string ClientOption = "--sqs-client";

    private protected QueueTarget()
    {
    }

    /// <summary>What is used when nothing is said.</summary>
    public static QueueTarget Embedded { get; } = new EmbeddedTarget();

    /// <summary>By what the pubsub server calls it: one client for every queue, or a distance would be confounded with a client.</summary>
    public SqsClientKind SqsClient { get; init; } = new SqsOptions().Client;

    /// <summary>In sentences: <c>LocalSqs</c>, <c>the queue at ADDRESS</c>, <c>Amazon SQS in REGION</c>.</summary>
    public abstract string Name { get; }

    /// <summary>The option that named it; null: none did.</summary>
    public abstract string? NamedBy { get; }

    /// <summary>When its counts are believed.</summary>
    public abstract DrainLooks Looks { get; }

    /// <summary>How long a poll of the pubsub server waits: what an idle queue costs.</summary>
    public abstract TimeSpan WaitTime { get; }

    /// <summary>The pubsub server on it.</summary>
    /// <param name="queue">The name of its queue.</param>
    /// <param name="localSqs">Where the embedded queue is; null: this run has none.</param>
    public ChildCommand Server(string queue, Uri? localSqs)
    {
        var server = On(queue, localSqs);
        return server with { Arguments = [.. server.Arguments, "--Sqs:Client", SqsClient.ToString()] };
    }

    /// <summary>What <see cref="Server"/> sets, for run.json, secrets masked.</summary>
    public abstract IEnumerable<(string Name, string Value)> ServerSettings { get; }

    /// <summary>The options that named it, for run.json, secrets masked.</summary>
    public abstract IEnumerable<(string Name, string Value)> Options { get; }

    /// <summary>A client of it, for the run itself: whatever the server calls by.</summary>
    /// <param name="localSqs">Where the embedded queue is; null: this run has none.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="SqsException">It is not said well enough where the queue is.</exception>
    public SqsOverHttp Connect(Uri? localSqs, TimeProvider time) => new(Settings(localSqs), time);

    /// <summary>A client of the topics beside it.</summary>
    /// <param name="localSqs">Where the embedded queue is; null: this run has none.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="SqsException">It is not said well enough where they are.</exception>
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
