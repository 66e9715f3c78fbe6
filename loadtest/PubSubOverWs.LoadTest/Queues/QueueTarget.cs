using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Drain;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Queues;

/// <summary>
/// Which queue a run uses: <see cref="EmbeddedTarget"/>, <see cref="EndpointTarget"/> or <see cref="AwsTarget"/>. Each is asked for by name, and none is
/// the lack of another.
/// </summary>
public abstract record QueueTarget
{
    private protected QueueTarget()
    {
    }

    /// <summary>What is used when nothing is said.</summary>
    public static QueueTarget Embedded { get; } = new EmbeddedTarget();

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
    public abstract ChildCommand Server(string queue, Uri? localSqs);

    /// <summary>What <see cref="Server"/> sets, for run.json, secrets masked.</summary>
    public abstract IEnumerable<(string Name, string Value)> ServerSettings { get; }

    /// <summary>The options that named it, for run.json, secrets masked.</summary>
    public abstract IEnumerable<(string Name, string Value)> Options { get; }

    /// <summary>A client of it.</summary>
    /// <param name="localSqs">Where the embedded queue is; null: this run has none.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="SqsException">It is not said well enough where the queue is.</exception>
    public SqsOverHttp Connect(Uri? localSqs, TimeProvider time) => new(Settings(localSqs), time);

    /// <summary>A client of the topics beside it.</summary>
    /// <param name="localSqs">Where the embedded queue is; null: this run has none.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="SqsException">It is not said well enough where they are.</exception>
    public SnsOverHttp ConnectTopics(Uri? localSqs, TimeProvider time) => new(Settings(localSqs), time);

    private protected abstract SqsOptions Client(Uri? localSqs);

    private SqsOptions Settings(Uri? localSqs)
    {
        var options = Client(localSqs);
        options.MaxAttempts = 3;
        return options;
    }
}
