using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.LocalSqs;

/// <summary>Whom the server answers, and how fast. Bound from the section <c>LocalSqs</c>.</summary>
public sealed class LocalSqsOptions
{
    /// <summary>Requests must be signed (Signature Version 4) with this key and <see cref="SecretKey"/>, of any region.</summary>
    [Required]
    public string AccessKey { get; set; } = "test";

    [Required]
    public string SecretKey { get; set; } = "test";

    /// <summary>The median of the time for which each answer is held back, 0 s (answers leave at once) to 10 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:10")]
    public TimeSpan DelayP50 { get; set; }

    /// <summary>Its 99th percentile, at most 1 min; not above <see cref="DelayP50"/>: each answer is held back for just that.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:01:00")]
    public TimeSpan DelayP99 { get; set; }

    /// <summary>Of the delays.</summary>
    public int Seed { get; set; } = 1;
}
