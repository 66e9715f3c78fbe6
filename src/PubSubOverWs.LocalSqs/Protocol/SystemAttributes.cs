namespace PubSubOverWs.LocalSqs;

/// <summary>The attributes that the queue gives a message, and that a receive may ask for.</summary>
[Flags]
internal enum SystemAttributes
{
    None = 0,
    SenderId = 1,
    SentTimestamp = 2,
    ReceiveCount = 4,
    FirstReceive = 8,
    GroupId = 16,
    DeduplicationId = 32,
    SequenceNumber = 64,

    /// <summary>The attributes of every message.</summary>
    OfEvery = SenderId | SentTimestamp | ReceiveCount | FirstReceive,

    All = OfEvery | GroupId | DeduplicationId | SequenceNumber,
}
