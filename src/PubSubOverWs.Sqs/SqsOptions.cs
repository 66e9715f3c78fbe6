using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Sqs;

/// <summary>The queue's endpoint, the credentials, and how long to try. Bound from the section <c>Sqs</c>.</summary>
public sealed class SqsOptions : IValidatableObject
{
    /// <summary>
    /// The client that calls the queue: <c>Http</c> (default), or <c>AwsSdk</c>. The default is the same for every endpoint, so that
    /// distance is never confounded with the client (decision 0131).
    /// </summary>
    public SqsClientKind Client { get; set; } = SqsClientKind.Http;

    /// <summary>
    /// An SQS-compatible server, such as <c>http://127.0.0.1:9324</c>. Null or empty: AWS itself, in <see cref="Region"/>; if
    /// <c>AWS_ENDPOINT_URL</c>, <c>AWS_ENDPOINT_URL_SQS</c> or the AWS profile then names another server, the client refuses to start.
    /// </summary>
    public string? Endpoint { get; set; }

    /// <summary>
    /// The address of SNS, if it is not the queue's: with an <see cref="Endpoint"/> only. Null or empty: at <see cref="Endpoint"/>.
    /// </summary>
    public string? SnsEndpoint { get; set; }

    /// <summary>
    /// Such as <c>eu-central-1</c>. Null or empty: from the environment or the AWS profile; with an <see cref="Endpoint"/> and none found,
    /// <c>us-east-1</c>.
    /// </summary>
    public string? Region { get; set; }

    /// <summary>
    /// With <see cref="SecretKey"/>. Null or empty: the credentials that the AWS default chain finds (environment, profile, container,
    /// instance).
    /// </summary>
    public string? AccessKey { get; set; }

    public string? SecretKey { get; set; }

    /// <summary>Of temporary credentials; null or empty: none.</summary>
    public string? SessionToken { get; set; }

    /// <summary>Attempts for one call, the first included: 1 (no retry) to 100.</summary>
    [Range(1, 100)]
    public int MaxAttempts { get; set; } = 8;

    /// <summary>
    /// The longest wait before the first retry, 0 s to 1 min; it doubles with each further one, and each wait is drawn between zero and
    /// that bound.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:01:00")]
    public TimeSpan RetryDelay { get; set; } = TimeSpan.FromMilliseconds(50);

    /// <summary>The bound of the doubling of <see cref="RetryDelay"/>, 0 s to 5 min.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:05:00")]
    public TimeSpan MaxRetryDelay { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>How long one attempt may take, 1 s to 5 min; a receive has its long poll on top.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:05:00")]
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Seed of the jitter in the waits between retries: any number. The same seed gives the same waits.</summary>
    public int Seed { get; set; } = 1;

    /// <summary>Keys come in pairs.</summary>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (string.IsNullOrEmpty(AccessKey) != string.IsNullOrEmpty(SecretKey))
            yield return new ValidationResult("AccessKey and SecretKey belong together: set both, or neither.", [nameof(SecretKey)]);
        if (string.IsNullOrEmpty(Endpoint) && !string.IsNullOrEmpty(SnsEndpoint))
            yield return new ValidationResult(
                "SnsEndpoint is set and Endpoint is not: name both, or neither to use AWS.", [nameof(SnsEndpoint)]);
    }
}

/// <summary>The two clients of <see cref="ISqs"/>. Both keep the same promises; their costs differ.</summary>
public enum SqsClientKind
{
    /// <summary>Our own, <see cref="SqsOverHttp"/>: less CPU and memory for each call.</summary>
    Http,

    /// <summary>Amazon's, AWSSDK.SQS, behind <see cref="SqsOverAwsSdk"/>: what most programs on AWS use.</summary>
    AwsSdk,
}
