using System.Globalization;

namespace PubSubOverWs.Sqs;

/// <summary>Advice to the user about a failure of the queue: the end of its message.</summary>
internal static class SqsAdvice
{
    public const string Throttled = "it throttles calls for now, so make fewer, or have its limit raised";

    public const string ItsOwnFault = "the fault is on its side, so check its state, or wait";

    public const string OutOfDescriptors = "this process has no descriptors left, so raise its limit (ulimit -n)";

    /// <summary>
    /// SQS accepts signatures that are 15 min off, other services 5 min: a smaller difference is no reason for a refusal.
    /// </summary>
    private static readonly TimeSpan ToleratedSkew = TimeSpan.FromMinutes(5);

    public static string Unreachable(SqsAddress address) =>
        address.IsAws ? "check whether Sqs:Region is right and this machine has a network" : "start it, or name another in Sqs:Endpoint";

    /// <param name="code">Of the refusal.</param>
    /// <param name="said">The queue's own words; null: none.</param>
    /// <param name="ahead">How far this machine's clock is ahead of the queue's; null: unknown.</param>
    /// <returns>Null: there is no advice beyond the queue's own words.</returns>
    public static string? On(string code, string? said, TimeSpan? ahead) => code switch
    {
        SqsErrorCode.QueueDoesNotExist => "create it, or check whether the region is right",
        // SNS says what it did not find; any other server says nothing that could be read.
        SnsErrorCode.NotFound when said is not null => "create it, or check whether the region is right",
        SqsErrorCode.QueueNameExists => "delete it or choose another name",
        SqsErrorCode.QueueDeletedRecently => "wait for a minute, or choose another name",
        "AccessDenied" or "AccessDeniedException" => "allow the credentials this operation on this queue",
        SnsErrorCode.AuthorizationError => "allow the credentials this operation on this topic",
        "KmsAccessDenied" => "allow the credentials to use the queue's KMS key",
        "KmsDisabled" or "KmsInvalidState" or "KmsInvalidKeyUsage" or "KmsNotFound" or "KmsOptInRequired" =>
            "check the state of the queue's KMS key",
        "InvalidClientTokenId" or "UnrecognizedClientException" or "InvalidAccessKeyId" => "check whether the access key is right",
        "SignatureDoesNotMatch" or "InvalidSignatureException" or "RequestTimeTooSkewed" => OnSignature(said ?? "", ahead),
        "ExpiredToken" or "ExpiredTokenException" or "RequestExpired" => "renew the session token",
        // Not an answer of SQS, which names its errors.
        "NotFound" or "MethodNotAllowed" or "BadRequest" or "Forbidden" => "check what listens there",
        _ => null,
    };

    // One code for three reasons: only the text of SQS tells them apart, and its answer has the time.
    private static string OnSignature(string said, TimeSpan? ahead) =>
        ahead is { } skew && skew.Duration() > ToleratedSkew
            ? $"set this machine's clock, which is {Describe(skew.Duration())} {(skew > TimeSpan.Zero ? "ahead of" : "behind")} the queue's"
            : said.StartsWith("Signature expired", StringComparison.Ordinal)
                || said.StartsWith("Signature not yet current", StringComparison.Ordinal)
                ? "set this machine's clock"
                : said.Contains("valid region", StringComparison.Ordinal)
                    ? "set Sqs:Region to the region of this queue"
                    : "check whether the secret key and the region are right";

    private static string Describe(TimeSpan time) => string.Create(
        CultureInfo.InvariantCulture, $"{(time.TotalHours >= 1 ? $"{(long)time.TotalHours} h " : "")}{time.Minutes} min");
}
