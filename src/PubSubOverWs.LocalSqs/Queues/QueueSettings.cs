namespace PubSubOverWs.LocalSqs;

/// <summary>The settings of a queue, with the defaults and ranges of SQS (<see cref="With"/>).</summary>
public sealed record QueueSettings
{
    public static readonly QueueSettings Default = new();

    public TimeSpan VisibilityTimeout { get; private init; } = TimeSpan.FromSeconds(30);

    public TimeSpan MessageRetention { get; private init; } = TimeSpan.FromDays(4);

    public TimeSpan Delay { get; private init; }

    public TimeSpan ReceiveWaitTime { get; private init; }

    /// <summary>Bytes of the largest message.</summary>
    public int MaximumMessageSize { get; private init; } = SqsLimit.MessageBytes;

    /// <summary>Null: messages may be received any number of times.</summary>
    public Redrive? Redrive { get; private init; }

    /// <summary>Null: no topic may send to it.</summary>
    public QueuePolicy? Policy { get; private init; }

    /// <summary>These settings with one attribute changed.</summary>
    /// <exception cref="SqsErrorException">There is no such attribute, or its value is out of range.</exception>
    public QueueSettings With(string attribute, string value) => attribute switch
    {
        "VisibilityTimeout" => this with { VisibilityTimeout = Seconds(attribute, value, 0, 43_200) },
        "MessageRetentionPeriod" => this with { MessageRetention = Seconds(attribute, value, 60, 1_209_600) },
        "DelaySeconds" => this with { Delay = Seconds(attribute, value, 0, 900) },
        "ReceiveMessageWaitTimeSeconds" => this with { ReceiveWaitTime = Seconds(attribute, value, 0, 20) },
        "MaximumMessageSize" => this with { MaximumMessageSize = Number(attribute, value, 1024, SqsLimit.MessageBytes) },
        "RedrivePolicy" => this with { Redrive = value.Length == 0 ? null : Redrive.Parse(value) },
        "Policy" => this with { Policy = value.Length == 0 ? null : QueuePolicy.Parse(value) },
        _ => throw new SqsErrorException(SqsError.InvalidAttributeName, $"Unknown attribute {attribute}: LocalSqs does not have it."),
    };

    private static TimeSpan Seconds(string attribute, string value, int least, int most) =>
        TimeSpan.FromSeconds(Number(attribute, value, least, most));

    private static int Number(string attribute, string value, int least, int most) =>
        int.TryParse(value, System.Globalization.NumberStyles.AllowLeadingSign, null, out var number) && number >= least && number <= most
            ? number
            : throw new SqsErrorException(
                SqsError.InvalidAttributeValue, $"Invalid value '{value}' for the parameter {attribute}: it must be {least} to {most}.");
}
