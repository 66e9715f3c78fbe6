using System.Text.RegularExpressions;

namespace PubSubOverWs.Record.Files;

/// <summary>
/// Iterations that measured nothing, because the queue failed for a reason that no client can cause (docs/reference/method.md, Validity).
/// A run ends with the first of them, and does not record it; records of earlier programs have some, as their events show.
/// </summary>
public static partial class VoidIterations
{
    // The queue or topic is not there. Servers that share their work delete each other's.
    private static readonly HashSet<string> Gone = ["QueueDoesNotExist", "NonExistentQueue", "NotFound"];

    // Codes of SQS, of SNS, of what AWS has before both, and of our clients.
    private static readonly HashSet<string> Refusals =
    [
        .. Gone,
        "AccessDenied", "AccessDeniedException", "AuthorizationError", "OptInRequired", "InvalidSecurity", "Forbidden", "MethodNotAllowed",
        "KmsAccessDenied", "KmsDisabled", "KmsInvalidState", "KmsInvalidKeyUsage", "KmsNotFound", "KmsOptInRequired",
        "InvalidClientTokenId", "UnrecognizedClientException", "InvalidAccessKeyId", "MissingAuthenticationToken",
        "MissingAuthenticationTokenException", "IncompleteSignature", "IncompleteSignatureException",
        "SignatureDoesNotMatch", "InvalidSignatureException", "RequestTimeTooSkewed",
        "ExpiredToken", "ExpiredTokenException", "RequestExpired", "NoCredentials", "CredentialsNotRenewed",
        "RequestThrottled", "Throttled", "Throttling", "ThrottlingException", "ThrottledException", "TooManyRequests",
        "TooManyRequestsException", "RequestLimitExceeded", "SlowDown", "KmsThrottled",
        "BadAnswer", "OutOfDescriptors",
    ];

    /// <summary>Whether a call of the queue that failed with this code, in all of its attempts, was refused for such a reason.</summary>
    /// <param name="hasNodes">Several servers share the work.</param>
    public static bool IsRefusal(string code, bool hasNodes) => Refusals.Contains(code) && !(hasNodes && Gone.Contains(code));

    /// <summary>Whether a failure that users saw was such a refusal.</summary>
    /// <param name="text">As in events.csv: it has the sentence about the call.</param>
    /// <param name="hasNodes">Several servers share the work.</param>
    public static bool TellsOfRefusal(string text, bool hasNodes) =>
        Code().Matches(text).Any(match => IsRefusal(match.Groups["code"].Value, hasNodes));

    /// <summary>Rows with <see cref="IterationRow.VoidBecause"/>, by what the events say of them.</summary>
    internal static IReadOnlyList<IterationRow> Mark(
        Scenario scenario, IReadOnlyList<IterationRow> rows, IReadOnlyList<EventRow> events)
    {
        var failures = events.Where(one => one.Kind == EventRow.Failure).ToLookup(one => (one.Target, Iteration().Match(one.Detail).Value));
        return failures.Count == 0 || scenario.Disturbance is { KillsQueue: true } ? rows : [.. rows.Select(Marked)];

        IterationRow Marked(IterationRow row) => row with
        {
            VoidBecause = failures[(row.Arm, Invariant($"iteration {row.Iteration}: "))]
                .FirstOrDefault(one => IsVoid(scenario, row, one.Detail))?.Detail,
        };
    }

    // The proof that a queue is empty is the runner's own probe of it.
    private static bool IsVoid(Scenario scenario, IterationRow row, string failure) =>
        TellsOfRefusal(failure, hasNodes: scenario.FindArm(row.Arm) is { } arm && scenario.SetUp(arm).Servers > 1)
            || (row.DrainState == DrainState.NotProven && failure.Contains(" cannot be reached (", StringComparison.Ordinal));

    [GeneratedRegex(@"\bwith (?:[A-Za-z]+\.)*(?<code>[A-Za-z]+)")]
    private static partial Regex Code();

    [GeneratedRegex(@"^iteration \d+: ")]
    private static partial Regex Iteration();
}
