using System.Text.Json;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LocalSqs;

/// <summary>One message to send in a request.</summary>
internal sealed class SendFields : IEntry
{
    public string? Id { get; private set; }

    public bool HasBody { get; private set; }

    /// <summary>Null: there is none, or it has forbidden characters.</summary>
    public MessageBody? Body { get; private set; }

    public int? DelaySeconds { get; private set; }

    public string? GroupId { get; private set; }

    public string? DeduplicationId { get; private set; }

    /// <summary>Null: there are none, or SQS does not accept them.</summary>
    public MessageAttributes? Attributes { get; private set; }

    /// <summary>Why SQS does not accept the attributes; null: it does.</summary>
    public string? AttributesFault { get; private set; }

    public bool HasSystemAttributes { get; private set; }

    /// <summary>Bytes that count towards the size of the message.</summary>
    public int Length => (Body?.Length ?? 0) + (Attributes?.Length ?? 0);

    /// <inheritdoc/>
    public void Read(ref Utf8JsonReader reader, ReadOnlySpan<byte> request)
    {
        if (reader.ValueTextEquals("MessageBody"u8))
        {
            reader.Read();
            HasBody = reader.TokenType == JsonTokenType.String;
            Body = HasBody ? MessageText.Read(ref reader, request) : null;
        }
        else if (reader.ValueTextEquals("Id"u8))
        {
            Id = reader.ReadString();
        }
        else if (reader.ValueTextEquals("DelaySeconds"u8))
        {
            DelaySeconds = reader.ReadInteger();
        }
        else
        {
            ReadExtra(ref reader);
        }
    }

    /// <summary>May be called only if the message breaks no rule of SQS.</summary>
    public NewMessage ToMessage() => new(
        Body!.Value,
        DelaySeconds is { } seconds ? TimeSpan.FromSeconds(seconds) : null,
        GroupId is not null || Attributes is not null ? new MessageExtras(GroupId, Attributes) : null);

    private void ReadExtra(ref Utf8JsonReader reader)
    {
        if (reader.ValueTextEquals("MessageGroupId"u8))
        {
            GroupId = reader.ReadString();
        }
        else if (reader.ValueTextEquals("MessageDeduplicationId"u8))
        {
            DeduplicationId = reader.ReadString();
        }
        else if (reader.ValueTextEquals("MessageAttributes"u8))
        {
            Attributes = AttributeFields.ReadAll(ref reader, out var fault);
            AttributesFault = fault;
        }
        else
        {
            HasSystemAttributes |= reader.ValueTextEquals("MessageSystemAttributes"u8);
            reader.SkipValue();
        }
    }
}
