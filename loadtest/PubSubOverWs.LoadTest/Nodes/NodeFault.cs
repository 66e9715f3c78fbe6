namespace PubSubOverWs.LoadTest.Nodes;

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
