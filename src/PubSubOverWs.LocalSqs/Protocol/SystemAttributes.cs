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
    All = SenderId | SentTimestamp | ReceiveCount | FirstReceive | GroupId,
}
