namespace PubSubOverWs.LocalSqs;

/// <summary>The settings that only a FIFO queue has.</summary>
public sealed record FifoSettings
{
    public static readonly FifoSettings Default = new();

    private const string PerGroup = "perMessageGroupId";

    /// <summary>A message without a deduplication id gets the SHA-256 of its body.</summary>
    public bool ContentBasedDeduplication { get; private init; }

    /// <summary>A deduplication id counts in its group only; false: in the whole queue.</summary>
    public bool DeduplicatesByGroup { get; private init; }

    /// <summary>
    /// The quota of calls per second counts for each group. LocalSqs has no such quota: it keeps the setting and shows it.
    /// </summary>
    public bool LimitsByGroup { get; private init; }

    public static IReadOnlySet<string> Names { get; } = Default.Attributes.Select(attribute => attribute.Name).ToHashSet();

    /// <summary>As GetQueueAttributes shows them.</summary>
    public IEnumerable<(string Name, string Value)> Attributes =>
    [
        ("FifoQueue", "true"),
        ("ContentBasedDeduplication", ContentBasedDeduplication ? "true" : "false"),
        ("DeduplicationScope", DeduplicatesByGroup ? "messageGroup" : "queue"),
        ("FifoThroughputLimit", LimitsByGroup ? PerGroup : "perQueue"),
    ];

    /// <summary>These settings with one attribute changed.</summary>
    /// <exception cref="SqsErrorException">The value is not one of those that the attribute may have.</exception>
    public FifoSettings With(string attribute, string value) => (attribute, value) switch
    {
        ("FifoQueue", "true") => this,
        ("FifoQueue", _) => throw Invalid(attribute, "Modifying queue type is not supported."),
        ("ContentBasedDeduplication", "true" or "false") => this with { ContentBasedDeduplication = value == "true" },
        ("DeduplicationScope", "queue" or "messageGroup") => this with { DeduplicatesByGroup = value == "messageGroup" },
        ("FifoThroughputLimit", "perQueue" or PerGroup) => this with { LimitsByGroup = value == PerGroup },
        _ => throw Invalid(attribute, $"It cannot be '{value}'."),
    };

    /// <exception cref="SqsErrorException">Two settings do not go together.</exception>
    public void Check()
    {
        if (LimitsByGroup && !DeduplicatesByGroup)
            throw Invalid(
                "FifoThroughputLimit", "To set FifoThroughputLimit to perMessageGroupId, the DeduplicationScope must be messageGroup.");
    }

    private static SqsErrorException Invalid(string attribute, string reason) =>
        new(SqsError.InvalidAttributeValue, $"Invalid value for the parameter {attribute}. Reason: {reason}");
}
