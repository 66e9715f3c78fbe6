using System.Globalization;

namespace PubSubOverWs.Sqs;

/// <summary>What a user can do about a failure of the queue: the end of its sentence.</summary>
internal static class SqsAdvice
{
    public const string Throttled = "it takes no more calls for now, so make fewer, or have its limit raised";

    public const string ItsOwnFault = "the fault is on its side, so see how it is, or wait";

    /// <summary>SQS itself takes signatures that are 15 min off, other services 5 min: less than that is no reason for a refusal.</summary>
    private static readonly TimeSpan ToleratedSkew = TimeSpan.FromMinutes(5);

    public static string Unreachable(SqsAddress address) =>
        address.IsAws ? "see whether Sqs:Region is right and this machine has a network" : "start it, or name another in Sqs:Endpoint";

    /// <param name="code">Of the refusal.</param>
    /// <param name="said">The queue's own words; null: none.</param>
    /// <param name="ahead">How far this machine's clock is before the queue's; null: unknown.</param>
    /// <returns>Null: the queue's own words must do.</returns>
    public static string? On(string code, string? said, TimeSpan? ahead) => code switch
    {
        SqsErrorCode.QueueDoesNotExist => "create it, or see whether the region is right",
        // SNS says what it did not find; a server that is none says nothing that could be read.
        SnsErrorCode.NotFound when said is not null => "create it, or see whether the region is right",
        SqsErrorCode.QueueNameExists => "delete it or choose another name",
        SqsErrorCode.QueueDeletedRecently => "wait for a minute, or choose another name",
        "AccessDenied" or "AccessDeniedException" => "give the credentials leave for this operation on this queue",
        SnsErrorCode.AuthorizationError => "give the credentials leave for this operation on this topic",
        "KmsAccessDenied" => "give the credentials leave to use the queue's KMS key",
        "KmsDisabled" or "KmsInvalidState" or "KmsInvalidKeyUsage" or "KmsNotFound" or "KmsOptInRequired" =>
            "see what has become of the queue's KMS key",
        "InvalidClientTokenId" or "UnrecognizedClientException" or "InvalidAccessKeyId" => "see whether the access key is right",
        "SignatureDoesNotMatch" or "InvalidSignatureException" or "RequestTimeTooSkewed" => OnSignature(said ?? "", ahead),
        "ExpiredToken" or "ExpiredTokenException" or "RequestExpired" => "renew the session token",
        // No answer of SQS: it names its errors.
        "NotFound" or "MethodNotAllowed" or "BadRequest" or "Forbidden" => "see what listens there",
        _ => null,
    };

    // One code for three reasons; what SQS says of them is in its words only, and the time is in its answer.
    private static string OnSignature(string said, TimeSpan? ahead) =>
        ahead is { } skew && skew.Duration() > ToleratedSkew
            ? $"set this machine's clock, which is {Describe(skew.Duration())} {(skew > TimeSpan.Zero ? "ahead of" : "behind")} the queue's"
            : said.StartsWith("Signature expired", StringComparison.Ordinal)
                || said.StartsWith("Signature not yet current", StringComparison.Ordinal)
                ? "set this machine's clock"
                : said.Contains("valid region", StringComparison.Ordinal)
                    ? "set Sqs:Region to the region of this queue"
                    : "see whether the secret key and the region are right";

    private static string Describe(TimeSpan time) => string.Create(
        CultureInfo.InvariantCulture, $"{(time.TotalHours >= 1 ? $"{(long)time.TotalHours} h " : "")}{time.Minutes} min");
}
