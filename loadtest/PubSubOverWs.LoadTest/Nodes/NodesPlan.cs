namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>How large the proof is.</summary>
public sealed record NodesPlan
{
    /// <summary>Pubsub servers that share the work, 2 or more.</summary>
    public int Nodes { get; init; } = 3;

    /// <summary>Subscribers of the topic, spread over the nodes.</summary>
    public int Subscribers { get; init; } = 3_000;

    /// <summary>Messages to the topic, and then as many to queues.</summary>
    public int Messages { get; init; } = 10_000;

    /// <summary>Queue destinations; each has a subscriber at every node.</summary>
    public int Queues { get; init; } = 10;

    /// <summary>What happens to one of the nodes.</summary>
    public NodeFault Fault { get; init; } = NodeFault.Kill;

    /// <summary>For how long; a killed node stays away.</summary>
    public TimeSpan FaultFor { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The longest time without any arrival; then what is missing is missing. A killed node's messages come again after its visibility
    /// time-out.
    /// </summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(60);
}

/// <summary>What happens to one node, by its word on the command line.</summary>
public enum NodeFault
{
    /// <summary><c>kill</c>: SIGKILL, and it does not come back.</summary>
    Kill,

    /// <summary><c>pause</c>: SIGSTOP, and SIGCONT later.</summary>
    Pause,

    /// <summary><c>sns-cut</c>: nothing passes between it and SNS, either way; connections stay.</summary>
    SnsCut,

    /// <summary><c>sqs-cut</c>: nothing passes between it and SQS, either way.</summary>
    SqsCut,

    /// <summary><c>sqs-requests-cut</c>: its requests do not reach SQS.</summary>
    SqsRequestsCut,

    /// <summary><c>sqs-answers-cut</c>: its requests reach SQS, and the answers do not reach it.</summary>
    SqsAnswersCut,
}
