namespace PubSubOverWs.Sqs;

/// <summary>The kinds of call that are counted separately.</summary>
public enum SqsCall
{
    Send,
    Receive,
    Delete,
    ChangeVisibility,

    /// <summary>Everything about queues: create, find, attributes, purge, list, delete.</summary>
    Other,
}
