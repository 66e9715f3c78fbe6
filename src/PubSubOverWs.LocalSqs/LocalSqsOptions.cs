using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.LocalSqs;

/// <summary>Access to the server, its delays, and its bound of memory. Bound from the section <c>LocalSqs</c>.</summary>
public sealed class LocalSqsOptions : IValidatableObject
{
    // 1 MiB of text may take six times as much in escapes, plus the JSON around it. Also the least bound: one message always fits.
    internal const int MaxRequestBytes = 8 << 20;
    private const long LargestBound = 1L << 40;
    private const int ShortestOwnKey = 16;

    /// <summary>Requests must be signed (Signature Version 4) with this key and <see cref="SecretKey"/>, of any region.</summary>
    [Required]
    public string AccessKey { get; set; } = "test";

    [Required]
    public string SecretKey { get; set; } = "test";

    /// <summary>
    /// Host names that clients may use beside addresses and <c>localhost</c>, separated by commas, such as that of a container.
    /// Others are refused: a web page can make its own name lead here, and knows the default key.
    /// </summary>
    public string Hosts { get; set; } = "";

    /// <summary>The median of the time for which each answer is held back, 0 s (answers leave at once) to 10 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:00:10")]
    public TimeSpan DelayP50 { get; set; }

    /// <summary>
    /// The 99th percentile of that time, 0 s to 1 min. At or below <see cref="DelayP50"/> there is no spread: every answer is delayed by
    /// DelayP50.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:01:00")]
    public TimeSpan DelayP99 { get; set; }

    /// <summary>Seed of the delays: any number. The same seed gives the same delays.</summary>
    public int Seed { get; set; } = 1;

    /// <summary>
    /// How many bytes of messages all queues may hold together: bodies as they came, attributes, and 200 bytes for each message. A send
    /// without room is answered 503, and nothing of it is taken. 8 MiB to 1 TiB, or 0: no bound but the machine's. Default 1 GiB.
    /// </summary>
    public long MaxBytes { get; set; } = 1L << 30;

    /// <summary>
    /// Allows addresses other than loopback: every client that reaches them and knows the key has its messages. Needs a
    /// <see cref="SecretKey"/> of 16 characters or more, because the default is public. Off by default.
    /// </summary>
    public bool AllowNetwork { get; set; }

    /// <summary>No bound, or one that the largest message fits in; beyond loopback a key that is not the default.</summary>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (MaxBytes is not 0 and (< MaxRequestBytes or > LargestBound))
            yield return new ValidationResult(
                $"LocalSqs:MaxBytes must be 0 (no bound), or {MaxRequestBytes} (8 MiB) to {LargestBound} (1 TiB).", [nameof(MaxBytes)]);
        if (AllowNetwork && SecretKey.Length < ShortestOwnKey)
            yield return new ValidationResult(
                "LocalSqs:AllowNetwork needs a key of your own: "
                + $"set LocalSqs:AccessKey, and LocalSqs:SecretKey to {ShortestOwnKey} characters or more.", [nameof(SecretKey)]);
    }
}
