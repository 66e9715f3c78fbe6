using System.Text.Json;

namespace PubSubOverWs.LocalSqs;

/// <summary>One received message in a request and, for a change of visibility, how long it is to be hidden.</summary>
internal sealed class ReceiptFields
{
    private bool _hasHandle;
    private bool _isHandle;

    public string? Id { get; private set; }

    public ReceiptHandle Handle { get; private set; }

    public int? VisibilitySeconds { get; private set; }

    /// <summary>Reads one property; the reader stands on its name.</summary>
    public void Read(ref Utf8JsonReader reader)
    {
        if (reader.ValueTextEquals("Id"u8))
        {
            Id = reader.ReadString();
        }
        else if (reader.ValueTextEquals("ReceiptHandle"u8))
        {
            reader.Read();
            _hasHandle = reader.TokenType == JsonTokenType.String;
            // Our handles have no escapes: a handle with one is not ours.
            if (_hasHandle && ReceiptHandle.TryParse(reader.ValueSpan, out var handle))
                (_isHandle, Handle) = (true, handle);
        }
        else if (reader.ValueTextEquals("VisibilityTimeout"u8))
        {
            VisibilitySeconds = reader.ReadInteger();
        }
        else
        {
            reader.SkipValue();
        }
    }

    /// <summary>Why the handle is invalid; null: it names a receive of this queue.</summary>
    public SqsErrorException? FaultIn(QueueInMemory queue) =>
        !_hasHandle ? new SqsErrorException(SqsError.MissingParameter, "The request must contain the parameter ReceiptHandle.")
        : !_isHandle
            || Handle.Queue != queue.Id ? new SqsErrorException(SqsError.ReceiptHandleIsInvalid, "The input receipt handle is invalid.")
        : null;
}
