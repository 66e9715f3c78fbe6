using System.Text.Json;

namespace PubSubOverWs.LocalSqs;

/// <summary>What a request says of one message to send.</summary>
internal sealed class SendFields
{
    private bool _hasBody;
    private int? _delaySeconds;
    private bool _hasAttributes;
    private bool _isFifo;

    public string? Id { get; private set; }

    /// <summary>Null: there is none, or it has forbidden characters.</summary>
    public MessageBody? Body { get; private set; }

    public TimeSpan? Delay => _delaySeconds is { } seconds ? TimeSpan.FromSeconds(seconds) : null;

    /// <summary>Takes in one property; the reader stands on its name.</summary>
    public void Read(ref Utf8JsonReader reader, ReadOnlySpan<byte> request)
    {
        if (reader.ValueTextEquals("MessageBody"u8))
        {
            reader.Read();
            _hasBody = reader.TokenType == JsonTokenType.String;
            Body = _hasBody ? MessageText.Read(ref reader, request) : null;
        }
        else if (reader.ValueTextEquals("Id"u8))
        {
            Id = reader.ReadString();
        }
        else if (reader.ValueTextEquals("DelaySeconds"u8))
        {
            _delaySeconds = reader.ReadInteger();
        }
        else
        {
            _hasAttributes |= reader.ValueTextEquals("MessageAttributes"u8) || reader.ValueTextEquals("MessageSystemAttributes"u8);
            _isFifo |= reader.ValueTextEquals("MessageGroupId"u8) || reader.ValueTextEquals("MessageDeduplicationId"u8);
            reader.SkipValue();
        }
    }

    /// <summary>Why the queue does not take it; null: it does.</summary>
    public SqsErrorException? FaultIn(QueueSettings settings)
    {
        if (!_hasBody)
            return new SqsErrorException(SqsError.MissingParameter, "The request must contain the parameter MessageBody.");
        if (Body is not { } body)
            return new SqsErrorException(SqsError.InvalidMessageContents, "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF.");
        if (body.Length == 0)
            return new SqsErrorException(SqsError.MissingParameter, "The request must contain the parameter MessageBody: it is empty.");
        if (body.Length > settings.MaximumMessageSize)
            return Invalid($"One or more parameters are invalid. Reason: Message must be shorter than {settings.MaximumMessageSize} bytes.");
        if (_delaySeconds is < 0 or > 900)
            return Invalid($"Value {_delaySeconds} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.");
        // Refused, not ignored: a receiver would miss them.
        if (_hasAttributes || _isFifo)
            return new SqsErrorException(SqsError.UnsupportedOperation, "LocalSqs does not have message attributes or FIFO queues.");
        return null;
    }

    private static SqsErrorException Invalid(string message) => new(SqsError.InvalidParameterValue, message);
}
